import { type ChainOperation, parseFlag, SandboxError, show } from '@svc/sandbox'
import { type Node, txHash } from './node.ts'

/** Functions of a chain that its operations need. */
interface Chain {
  readonly id: string
  latest(): { block: number; timestamp: number }
}

/**
 * Makes the operations on transactions that were sent, such as holding them back.
 *
 * @param running the chain's node
 * @throws SandboxError before its genesis
 */
export function lifeOperations(chain: Chain, running: () => Node): Readonly<Record<string, ChainOperation>> {
  const waiting = () => running().pending.map(txHash)
  return {
    hold: {
      example: { on: true },
      members: ['on'],
      async run({ on }) {
        const isHeld = parseFlag('on', on, 'true lets transactions wait, false puts those that do into a block')
        const node = running()
        node.held = isHeld
        if (!isHeld && node.pending.length > 0) node.makeBlock()
        return { ...chain.latest(), held: isHeld, waiting: waiting() }
      },
    },
    drop: {
      example: { hash: '…' },
      members: ['hash'],
      async run({ hash }) {
        if (typeof hash !== 'string' || !running().drop(hash.toUpperCase())) throw notWaiting(hash)
        return { ...chain.latest(), waiting: waiting() }
      },
    },
    prune: {
      example: {},
      members: [],
      async run() {
        running().prune()
        return { ...chain.latest(), lowest: Number(running().lowest) }
      },
    },
    keep: {
      example: { index: true, results: true },
      members: ['index', 'results'],
      async run({ index, results }) {
        const { keeps } = running()
        if (index !== undefined) keeps.index = parseFlag('index', index, 'true finds transactions, as indexer = "kv" does')
        if (results !== undefined)
          keeps.results = parseFlag('results', results, 'true keeps what came of blocks, as discard_abci_responses = false does')
        return { ...chain.latest(), ...keeps }
      },
    },
    reorganise: {
      example: {},
      members: [],
      async run() {
        throw new SandboxError('NOT_SUPPORTED', `${chain.id} never takes back a block: each is final when it is made`)
      },
    },
    exhaust: {
      example: { hash: '…' },
      members: ['hash'],
      async run({ hash }) {
        const waits = typeof hash === 'string' && waiting().includes(hash.toUpperCase())
        if (!waits) throw notWaiting(hash)
        running().exhausted.add(hash.toUpperCase())
        return { ...chain.latest(), waiting: waiting() }
      },
    },
  }
}

function notWaiting(hash: unknown): SandboxError {
  return new SandboxError(
    'INVALID_INPUT',
    `hash is ${show(hash)}: it must be of a transaction that waits, as what is sent does while hold is on`,
  )
}
