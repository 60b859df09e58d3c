import { type ChainOperation, SandboxError } from '@svc/sandbox'
import { switchOf } from './operations.ts'
import type { World } from './world.ts'

/** Makes the operations of the control port on transactions that were sent, and on the node's memory of them. */
export function lifeOperations(world: World): Readonly<Record<string, ChainOperation>> {
  const { queue, votes, bank, ledger } = world
  return {
    hold: {
      example: { on: true },
      members: ['on'],
      async run(body) {
        if (switchOf(body, 'on', 'true keeps transactions out of blocks, false lets those in that are not too old')) queue.hold()
        else queue.release()
        return { ...world.head(), holds: queue.holds, held: queue.held }
      },
    },
    drop: {
      example: {},
      members: [],
      async run() {
        return { ...world.head(), dropped: queue.drop() }
      },
    },
    votes: {
      example: { on: false },
      members: ['on'],
      async run(body) {
        votes.on = switchOf(body, 'on', 'false withholds the votes on new blocks, true lets them come')
        return { ...world.head(), on: votes.on, confirmed: Number(votes.slot('confirmed')), finalized: Number(votes.slot('finalized')) }
      },
    },
    prune: {
      example: {},
      members: [],
      async run() {
        ledger.prune(bank.slot + 1n)
        return { ...world.head(), first_available_block: Number(ledger.firstSlot) }
      },
    },
    reorganise: {
      example: {},
      members: [],
      async run() {
        throw new SandboxError(
          'NOT_SUPPORTED',
          'a block of Solana that is confirmed has never been rolled back, and a transaction in one that is only processed counts as pending; use hold and drop, or votes',
        )
      },
    },
  }
}
