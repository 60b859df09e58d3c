import type { VerifiedTransaction } from '@svc/client'
import type { Bound } from './protocols.ts'
import { ToolError } from './refused.ts'

/** A draft that was verified here. */
export interface Draft {
  readonly bound: Bound
  readonly transaction: VerifiedTransaction
}

/** Drafts that are kept at once: the oldest goes first. */
const MOST = 256

/** The drafts of this process. A caller names one by its id, so that nothing of it can be changed on the way. */
export interface Drafts {
  /** @returns the id, which nobody can guess */
  keep(draft: Draft): string
  /** @throws ToolError when it is not there, or not any more */
  of(id: string): Draft
}

export function createDrafts(): Drafts {
  const kept = new Map<string, Draft>()
  return {
    keep(draft) {
      const id = globalThis.crypto.randomUUID()
      kept.set(id, draft)
      for (const oldest of kept.keys()) if (kept.size > MOST) kept.delete(oldest)
      return id
    },
    of(id) {
      const draft = kept.get(id)
      if (draft) return draft
      throw new ToolError(`There is no draft ${JSON.stringify(id)}: this server keeps the last ${MOST} while it runs. Draft it again.`)
    },
  }
}
