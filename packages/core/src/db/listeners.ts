import type { CredentialListener, Log } from './store.ts'

/** Whom a store tells of changed credentials. */
interface Listeners {
  add(listener: CredentialListener): () => void
  /** A listener that throws is logged and does not keep the others from hearing. */
  tell(ulid: string): void
}

/** Makes an empty set of listeners. */
export function createListeners(log: Log): Listeners {
  const all = new Set<{ listener: CredentialListener }>()
  return {
    add(listener) {
      const entry = { listener }
      all.add(entry)
      return () => void all.delete(entry)
    },
    tell(ulid) {
      for (const { listener } of all) {
        try {
          listener(ulid)
        } catch (err) {
          log.error({ err, ulid }, 'a listener for changed credentials failed')
        }
      }
    },
  }
}
