import { exactNumber, parseAmount } from '@svc/contract'

/** A player of conformance, as far as it matters here: conformance itself is built with what this package tests. */
interface Player {
  act(action: string, members: Readonly<Record<string, unknown>>): Promise<unknown>
  advance(step: { readonly epochs: number }): Promise<unknown>
}

/** Six decimals, the last one set. */
export const EXACT = '1000.000001'
export const amount = exactNumber(EXACT)

/** Brings a player's wallet into the state in which it has staked; the epoch has not ended. */
export async function staked(player: Player): Promise<void> {
  await player.act('stake', { amount })
}

/** Brings a player's wallet into the state in which its stake has earned rewards. */
export async function earning(player: Player): Promise<void> {
  await staked(player)
  await player.advance({ epochs: 1 })
}

/** Reads an amount of a position in base units. */
export const micro = (text: string | null) => parseAmount(text ?? '0', 6)

/** Requests that every hub refuses. */
export const refusals = [
  {
    name: 'a key that has never held a coin',
    action: 'stake',
    body: { amount: 1, pubkey: `02${'9'.repeat(63)}d` },
    code: 'ACCOUNT_UNKNOWN',
  },
  { name: 'no stake at all', action: 'unstake', body: { amount: 1 }, code: 'INSUFFICIENT_STAKE' },
  {
    name: 'more than the stake',
    setup: staked,
    action: 'unstake',
    body: { amount: exactNumber('1000.000002') },
    code: 'INSUFFICIENT_STAKE',
  },
  { name: 'no rewards to claim', action: 'claim-rewards', code: 'NOTHING_TO_CLAIM' },
]

/** What tells one chain's native delegation from another's. */
interface Delegation {
  readonly decimals: number
  /** A thousand tokens and one base unit, as decimal text. */
  readonly exact: string
  /** Seconds that an exit takes. */
  readonly unbonding: number
  /** Does something to the chain that no caller can. */
  operate(operation: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** A player of a journey. */
interface Traveller extends Player {
  advance(step: { readonly epochs: number } | { readonly seconds: number }): Promise<unknown>
  expect(name: string, expected: Readonly<Record<string, unknown>>): Promise<void>
  refused(action: string, members: Readonly<Record<string, unknown>>, code: string): Promise<void>
  position(): Promise<{ readonly rewards: string | null }>
  readonly check: { ok(passed: boolean, name: string, found?: unknown): void }
}

/** Makes the examples, journeys and refusals for a chain that is declared by data alone, whatever its names, places and keys. */
export function nativeDelegation({ decimals, exact: text, unbonding, operate }: Delegation) {
  const exact = exactNumber(text)
  const stakes = (player: Player) => player.act('stake', { amount: exact })
  const earns = async (player: Player) => {
    await stakes(player)
    await player.advance({ epochs: 1 })
  }
  const unit = exactNumber(`0.${'1'.padStart(decimals, '0')}`)
  return {
    // What no other wallet of the groups needs: those about a node, a caller's key and the state of a validator are of the family, and hub-one's.
    groups: [
      'declaration',
      'examples',
      'networks',
      'info',
      'balance',
      'bodies',
      'amounts',
      'journeys',
      'guards',
      'life',
      'tamper',
      'intent',
      'lies',
      'budget',
      'requirements',
    ],
    examples: {
      stake: { body: { amount: exact } },
      unstake: { setup: async (player: Player) => void (await stakes(player)), body: { amount: exactNumber('1.000001') } },
      'claim-rewards': { setup: earns },
    },
    journeys: [
      {
        name: 'a delegation counts at once, earns, and its rewards are claimed',
        async run(player: Traveller) {
          await stakes(player)
          await player.expect('it is staked, to the last unit', { staked: text, objects: [] })
          await player.advance({ epochs: 10 })
          const { rewards } = await player.position()
          player.check.ok(parseAmount(rewards ?? '0', decimals) > 0n, 'ten days have earned something', rewards)
          await player.act('claim-rewards', {})
          await player.expect('nothing is left to claim', { staked: text, rewards: '0' })
        },
      },
      {
        name: 'all of it leaves, waits, and is paid out by itself',
        async run(player: Traveller) {
          await earns(player)
          await player.act('unstake', { amount: exact })
          await player.expect('nothing stays behind', { staked: '0', deactivating: text, rewards: '0' })
          await player.refused('unstake', { amount: unit }, 'INSUFFICIENT_STAKE')
          await player.advance({ seconds: unbonding - 60 })
          await player.expect('shortly before it is still waiting', { deactivating: text })
          await player.advance({ seconds: 120 })
          await player.expect('then it is paid out', { staked: '0', deactivating: '0', objects: [] })
        },
      },
      {
        name: 'a jailed validator takes no stake and lets it go',
        async run(player: Traveller) {
          await earns(player)
          await operate('jail', { seconds: 600 })
          try {
            await player.refused('stake', { amount: 1 }, 'VALIDATOR_JAILED')
            await player.act('unstake', { amount: 1 })
          } finally {
            await operate('unjail')
          }
        },
      },
    ],
    refusals: [
      { name: 'more than the wallet holds', action: 'stake', body: { amount: 100_001 }, code: 'INSUFFICIENT_BALANCE' },
      {
        name: 'a decimal too many',
        action: 'stake',
        body: { amount: exactNumber(`1.${'1'.padStart(decimals + 1, '0')}`) },
        code: 'AMOUNT_INVALID',
      },
      {
        name: 'a key that is no point of the curve',
        action: 'stake',
        body: { amount: 1, pubkey: `02${'0'.repeat(63)}5` },
        code: 'PUBLIC_KEY_INVALID',
      },
      ...refusals.map((refusal) =>
        refusal.setup ? { ...refusal, setup: async (player: Player) => void (await stakes(player)) } : refusal,
      ),
    ],
  } as const
}

/** A wallet in the middle of its life: as conformance has it, which is built with what this package tests. */
interface Life {
  readonly player: Player & { readonly wallet: { readonly address: string } }
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  random(below: number): number
}

/** What a hub's wallet goes through at random, and what it has by the chain itself. */
interface HubLives {
  /** Seconds that an exit takes. */
  readonly unbonding: number
  /** Whether the chain takes transactions in them: without an index what they did is not known. */
  readonly acts: boolean
}

/** Denominations in which a validator pays at most. */
const MOST_FOREIGN = 20
/** Other denominations than the chain's own: of another chain as IBC names them, of one's own making, and with a name that means something elsewhere. */
const FOREIGN = Array.from({ length: MOST_FOREIGN + 4 }, (_, index) =>
  index % 2 === 0 ? `ibc/${String(index).padStart(64, '0A')}` : `factory/osmo1x_y/${index % 4 === 1 ? 'constructor' : 'uatom'}.${index}`,
)

/** Identifier of a denomination in a book. */
function assetOf(denom: string): string {
  return denom.startsWith('ibc/') ? `ics20:${denom.slice(4)}` : `denom:${encodeURIComponent(denom).replaceAll('_', '%5F')}`
}

/** Makes lives of wallets on a hub, for conformance's group `ledger`. */
export function hubLives({ unbonding, acts }: HubLives) {
  const seconds = (life: Life, count: number) => life.player.advance({ seconds: count } as never)
  const step = (name: string, run: (life: Life) => Promise<unknown>) => ({ name, run: async (life: Life) => void (await run(life)) })
  return {
    ...(acts ? {} : { begin: async ({ player }: Life) => void (await staked(player)) }),
    steps: [
      step('lets a day pass', ({ player }) => player.advance({ epochs: 1 })),
      step('lets ten days pass', ({ player }) => player.advance({ epochs: 10 })),
      ...(acts
        ? [
            step('stakes', ({ player, random }) => player.act('stake', { amount: `${1 + random(900)}.00000${random(9)}` })),
            step('stakes again', ({ player, random }) => player.act('stake', { amount: `${1 + random(90)}.7` })),
            step('unstakes', ({ player, random }) => player.act('unstake', { amount: `${1 + random(200)}.00000${random(9)}` })),
            step('claims', ({ player }) => player.act('claim-rewards', {})),
            step('waits for its exits', (life) => seconds(life, unbonding + 60)),
          ]
        : []),
      step('is paid by a stranger in other denominations', ({ operate, random }) =>
        operate('deposit', {
          denominations: FOREIGN.slice(random(4)).slice(0, [1, 3, MOST_FOREIGN][random(3)]),
          units: `${1 + random(999)}${'0'.repeat(random(11))}`,
        }),
      ),
      step('stakes with a validator whose fees come in another denomination', ({ operate, random }) =>
        operate('rewards', { denominations: [FOREIGN[random(MOST_FOREIGN)]] }),
      ),
      step('is slashed', ({ operate, random }) => operate('slash', { fraction: `0.0${1 + random(4)}`, since: 1 })),
    ],
    // The chain's own account of what it has paid and owes, past everything that asks it as a node.
    async wealth({ player, operate }: Life): Promise<bigint> {
      const { paid, pending } = await operate('paid', { address: player.wallet.address })
      return BigInt(String(paid)) + BigInt(String(pending))
    },
    async others({ player, operate }: Life): Promise<Readonly<Record<string, bigint>>> {
      const { further } = await operate('paid', { address: player.wallet.address })
      const amounts = Object.entries(further as Readonly<Record<string, { readonly paid: string; readonly pending: string }>>)
      return Object.fromEntries(amounts.map(([denom, { paid, pending }]) => [assetOf(denom), BigInt(paid) + BigInt(pending)]))
    },
    finalise: async (life: Life) => void (await seconds(life, 10)),
    // An exit that is paid in the interval of a slash may have been slashed before: no record says. Without an index a transaction is not found.
    open: acts ? (['flow_missing', 'claims_not_known'] as const) : [],
    // Neither is an action of the plugins.
    unreached: (['exit_cancelled', 'redelegation', ...(acts ? [] : ['claim', 'deposit', 'exit_requested', 'withdrawal'])] as const).map(
      (kind) => kind as 'claim',
    ),
  }
}
