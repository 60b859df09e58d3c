import {
  type Balance,
  type Bounds,
  type Condition,
  declareErrors,
  type KnownPosition,
  type Life,
  type Moved,
  protocol,
  type Sighting,
  type Subject,
} from '@svc/contract'
import type { Departed, StirringListener, Stirrings } from '@svc/contract/control'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import { give, NO_TERMS } from '@svc/testing/paper-protocol'

/** What the chain of a test says, changed by the test as it goes. */
export interface Script {
  /** By hash; an error is thrown; a function may ask which endpoint it speaks for. Default: nobody knows it. */
  transactions: Map<string, Sighting | Error | ((subject: Subject, host: () => Promise<string>) => Sighting | Promise<Sighting>)>
  /** By address; a function is asked for the host of the endpoint. Default: nothing is there. */
  positions: Map<string, Balance | Error | ((host: string) => Balance | Error)>
  /** What became of units by their identifiers; null: the protocol does not tell. */
  departed: ((ids: readonly string[], host: string) => Departed) | null
  /** What the chain says the digests of positions are; a function is asked each time. null: the protocol has none. */
  digests: ((positions: readonly KnownPosition[]) => ReadonlyMap<string, string>) | null
  /** Is waited for before a position is answered, as it was when it was asked for. */
  reading: () => Promise<void>
  /** Interval of digests; null: that of the host. */
  digestMinutes: number | null
  /** Finds the wallets that have stirred after a height; null: the protocol has no such search. */
  stirrings: ((after: bigint | null) => Stirrings | null) | null
  /** Who listens to an endpoint that pushes stirrings, in order; null: nothing is pushed. */
  listeners: (StirringListener & { isEnded: boolean })[] | null
  /** When a position changes next by itself. */
  dues: Map<string, Date>
  conditions: readonly Condition[] | Error
  moved: (receipt: unknown) => Moved
  /** Every question, in order. */
  readonly asked: { readonly what: 'transaction' | 'position' | 'digests' | 'stirrings'; readonly of: string; readonly chainId: string }[]
  /** How often the conditions of the first network were asked for. */
  conditionsAsked: number
  /** Subjects of transactions, in order. */
  readonly subjects: Subject[]
}

export const NOTHING: Balance = { staked: 0n, activating: 0n, deactivating: 0n, withdrawing: 0n, rewards: 0n, objects: [] }

export const UNKNOWN: Sighting = {
  status: 'unknown',
  finality: 'none',
  certainty: 'likely',
  block: null,
  fee: null,
  receipt: null,
  error: null,
  replacedBy: null,
  validUntil: null,
  lookedAt: 100n,
  keep: {},
}

/** A sighting in a block. */
export function inBlock(status: 'included' | 'final' | 'failed', changes: Partial<Sighting> & { height?: bigint } = {}): Sighting {
  const { height = 90n, ...rest } = changes
  return {
    ...UNKNOWN,
    status,
    finality: status === 'final' ? 'final' : 'included',
    certainty: 'proven',
    block: { height, hash: `b${height}`, time: new Date('2026-11-21T11:59:50.000Z') },
    fee: 3n,
    receipt: 'a receipt',
    ...rest,
  }
}

export function createScript(): Script {
  return {
    transactions: new Map(),
    positions: new Map(),
    departed: null,
    digests: null,
    digestMinutes: null,
    reading: async () => {},
    stirrings: null,
    listeners: null,
    dues: new Map(),
    conditions: [{ kind: 'validator', id: 'v1', state: 'active', reason: null, commissionPercent: 5 }],
    moved: () => ({ moves: [{ kind: 'staked', asset: 'native', amount: 10n }], objectIds: ['7'] }),
    asked: [],
    conditionsAsked: 0,
    subjects: [],
  }
}

/** The signed text of a transaction: its bounds say that p001 has signed it. */
export const signedText = (name: string) => ({ signed_text: `${name}|seal` })
export const hashOf = (name: string) => `h-${name}|seal`

const BOUNDS: Bounds = { wallet: 'p001', validUntil: { kind: 'nonce', value: '5', estimatedAt: null }, facts: { serial: '5' } }

const { badRequest } = declareErrors({ DESK_SHUT: [400, 'The desk is shut.'] })

/** A protocol whose chain says what a script says. */
export function living(
  script: Script,
  { bounds = BOUNDS, conditionMinutes = 5 }: { bounds?: Bounds | null; conditionMinutes?: number } = {},
) {
  const kit = paperKit({
    sent: () => ({ bytes: 'none', signer: () => 'p001' }),
    life: {
      hash: (text) => text,
      bounds() {
        if (bounds === null) throw new TypeError('bounds cannot be read')
        return bounds
      },
      validUntil: () => BOUNDS.validUntil,
      async look({ client, network }, subject) {
        script.asked.push({ what: 'transaction', of: subject.txHash, chainId: network.chainId })
        script.subjects.push(subject)
        const said = script.transactions.get(subject.txHash) ?? UNKNOWN
        const sighting = typeof said === 'function' ? await said(subject, async () => (await client.ask<'host'>('host')).host) : said
        if (sighting instanceof Error) throw sighting
        return sighting
      },
    } satisfies NonNullable<ReturnType<typeof paperKit>['life']> as Life<never, never>,
  })
  const { definePlugin } = protocol(kit, { clerk: PaperAddress })
  return definePlugin({
    name: '@svc/plugin-paper',
    prefix: '/paper/native',
    summary: 'Papers.',
    maxFee: '1',
    actions: {
      give: {
        ...give,
        obstacles: ['DESK_SHUT'],
        async guard() {
          const { conditions } = script
          const shut = Array.isArray(conditions) && conditions.find(({ state }) => state !== 'active')
          if (shut) throw badRequest('DESK_SHUT', `The desk ${shut.reason}.`)
        },
      } as never,
      // Puts nothing in, as an exit.
      take: give as never,
    },
    async balance({ client, network }, address) {
      script.asked.push({ what: 'position', of: address, chainId: network.chainId })
      const answer = script.positions.get(address) ?? NOTHING
      const said = typeof answer === 'function' ? answer((await client.ask<'host'>('host')).host) : answer
      await script.reading()
      if (said instanceof Error) throw said
      return said
    },
    info: async () => NO_TERMS,
    inspect: async () => undefined,
    moved: (_network, receipt) => script.moved(receipt),
    ...(script.departed && {
      async departed({ client }, _address, ids) {
        return script.departed?.(ids, (await client.ask<'host'>('host')).host) ?? new Map()
      },
    }),
    ...(script.digests && {
      async digests({ network }, positions) {
        script.asked.push({ what: 'digests', of: positions.map(({ address }) => address).join(' '), chainId: network.chainId })
        return script.digests?.(positions) ?? new Map()
      },
    }),
    ...(script.digestMinutes === null ? {} : { digestMinutes: script.digestMinutes }),
    ...(script.stirrings && {
      stirrings: {
        everySeconds: 45,
        async search({ network }, after) {
          script.asked.push({ what: 'stirrings', of: String(after), chainId: network.chainId })
          return script.stirrings?.(after) ?? null
        },
        ...(script.listeners && {
          feed: {
            searchSeconds: 600,
            listen(_ctx: unknown, listener: StirringListener) {
              const entry = { ...listener, isEnded: false }
              script.listeners?.push(entry)
              return () => {
                entry.isEnded = true
              }
            },
          },
        }),
      },
    }),
    due: async (_ctx, address) => script.dues.get(address) ?? null,
    conditionMinutes,
    async condition({ network }) {
      if (network.chainId === '1') script.conditionsAsked++
      if (script.conditions instanceof Error) throw script.conditions
      return script.conditions
    },
  })
}
