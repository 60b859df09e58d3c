import type { Pulse } from '@svc/core'

/** Makes a pulse that beats only when a test says so: a service follows transactions and positions at its beats. */
export function createHeart(): { readonly pulse: Pulse; beat(): Promise<void> } {
  let beat = async () => {}
  return {
    pulse: {
      start(given) {
        beat = given
        return () => {
          beat = async () => {}
        }
      },
    },
    beat: () => beat(),
  }
}
