import type { Pulse } from '@svc/core'

/** A pulse whose beats a test gives: what a service follows goes on then, and at no other time. */
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
