import { type ChainOperation, parseCount, parseFlag, SandboxError, show } from '@svc/sandbox'
import type { Node } from './node.ts'

/** Most transactions that are cancelled one after the other. */
const maxTimes = 1_000_000

/** Functions of a chain that its operations need. */
interface Chain {
  readonly id: string
  readonly node: Node
  latest(): { block: number; timestamp: number; epoch: number }
}

/** Makes the operations on transactions that were sent, such as holding them back. */
export function lifeOperations(chain: Chain): Readonly<Record<string, ChainOperation>> {
  const { node } = chain
  return {
    hold: {
      example: { on: true },
      members: ['on'],
      async run({ on }) {
        const isHeld = parseFlag('on', on, 'true lets transactions wait, false executes those that do')
        // Sui's library is behind it, which is large.
        const executed = isHeld ? [] : (await import('./tx/submit.ts')).release(node)
        node.held = isHeld
        return { ...chain.latest(), held: isHeld, executed, waiting: [...node.waiting.keys()] }
      },
    },
    drop: {
      example: { hash: '…' },
      members: ['hash'],
      async run({ hash }) {
        if (typeof hash !== 'string' || !node.waiting.delete(hash))
          throw new SandboxError(
            'INVALID_INPUT',
            `hash is ${show(hash)}: it must be of a transaction that waits, as what is sent does while hold is on`,
          )
        return { ...chain.latest(), waiting: [...node.waiting.keys()] }
      },
    },
    congest: {
      example: { times: 1 },
      members: ['times'],
      async run({ times }) {
        node.knobs.congested = times === 0 ? 0 : parseCount('times', times, maxTimes)
        return { ...chain.latest(), times }
      },
    },
    prune: {
      example: {},
      members: [],
      async run() {
        node.prune()
        return { ...chain.latest(), lowest: Number(node.lowest) }
      },
    },
    reorganise: {
      example: {},
      members: [],
      async run() {
        throw new SandboxError('NOT_SUPPORTED', `${chain.id} never takes back what it has executed: every checkpoint is final`)
      },
    },
  }
}
