import type { VerifiedTransaction } from '@svc/client'
import type { BoundProtocol } from './protocols.ts'
import { ToolError } from './tool-error.ts'

/** A draft that was verified here. */
interface Draft {
  readonly bound: BoundProtocol
  readonly transaction: VerifiedTransaction
}

/** Drafts that are kept at once: the oldest goes first. */
const MOST = 256

/** The drafts of this process. A caller names one by its id, so that nothing of it can be changed on the way. */
export interface Drafts {
  /** Keeps a draft. @returns its id, which nobody can guess */
  keep(draft: Draft): string
  /** Returns a draft by its id. @throws ToolError when there is none, or it is no longer kept */
  of(id: string): Draft
}

/** Makes an empty memory of drafts, which lasts as long as the process. */
export function createDrafts(): Drafts {
  const drafts = new Map<string, Draft>()
  return {
    keep(draft) {
      const id = globalThis.crypto.randomUUID()
      drafts.set(id, draft)
      for (const oldest of drafts.keys()) if (drafts.size > MOST) drafts.delete(oldest)
      return id
    },
    of(id) {
      const draft = drafts.get(id)
      if (draft) return draft
      throw new ToolError(
        `There is no draft ${JSON.stringify(id)}: this server keeps the last ${MOST} while it runs. If it was sent, it may have landed, or land yet: look its hash up with staking_status before another one is drafted. One that was never sent can be drafted again.`,
      )
    },
  }
}
