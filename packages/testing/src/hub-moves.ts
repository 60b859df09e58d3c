import { exactNumber, formatAmount, parseAmount } from '@svc/contract'

/** A wallet in the middle of its life, as conformance has it, which is built with what this package tests. */
interface Life {
  readonly player: {
    readonly wallet: { readonly address: string }
    newcomer(): { readonly wallet: { readonly address: string } }
    advance(step: { readonly epochs: number } | { readonly seconds: number }): Promise<unknown>
    fund(amount: string): Promise<void>
    position(): Promise<{ readonly staked: string | null }>
  }
  operate(name: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>
  random(below: number): number
}

/** The state of the sandbox's chain, as far as it is read and changed here, past every node. */
interface State {
  readonly balances: { get(key: string): bigint | undefined }
  readonly validators: { get(operator: string): { readonly tokens: bigint } | undefined }
  readonly withdrawTo: { set(delegator: string, to: string): void; delete(delegator: string): void }
}

/** The sandbox's chain. */
interface Chain {
  readonly node:
    | {
        readonly app: { view(): { readonly state: State } }
        txs(): readonly { readonly hash: string; readonly bytes: Uint8Array }[]
      }
    | undefined
  validator(moniker?: string): string
  delegate(address: string, validator: string, amount: bigint): void
  makeBlock(around: { begin(ctx: { readonly state: State }): void }): unknown
}

/** What tells one hub from another. */
interface Hub {
  chain(): Chain
  readonly denom: string
  /** Seconds that an exit takes. */
  readonly unbonding: number
  /** Whether the price of gas moves. */
  readonly hasFeeMarket: boolean
}

/** Base units of a token. */
const TOKEN = 1_000_000n
const DECIMALS = 6
/** Denominations beside the chain's own in which rewards come, one after the other. */
const FURTHER = ['ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2', 'uone', 'utwo']

/** Makes the moves on a hub for conformance's group `moves`. The state of the sandbox's chain itself serves as the books. */
export function hubMoves({ chain, denom, unbonding, hasFeeMarket }: Hub) {
  const node = () => {
    const { node } = chain()
    if (node === undefined) throw new TypeError('the chain has its genesis before a wallet lives on it')
    return node
  }
  const text = (units: bigint) => exactNumber(formatAmount(units, DECIMALS))
  /** Base units from one up to so many tokens, any of them. */
  const some = ({ random }: Life, tokens: number) => 1n + BigInt(random(tokens)) * TOKEN + BigInt(random(Number(TOKEN)))
  const all = async ({ player }: Life) => {
    const { staked } = await player.position()
    if (staked === null || staked === '0') throw new RangeError('nothing is staked')
    return staked
  }
  /** With a validator that is jailed nothing is staked: mostly it is let in before. */
  const act = (name: string, action: string, body: (life: Life) => Promise<Readonly<Record<string, unknown>>>) => ({
    name,
    action,
    async body(life: Life) {
      if (life.random(4) > 0) await life.operate('unjail').catch(() => undefined)
      return body(life)
    },
  })
  const event = (name: string, run: (life: Life) => Promise<unknown>) => ({ name, run })
  const withdrawTo = async (change: (state: State) => void) => void chain().makeBlock({ begin: ({ state }) => change(state) })

  return {
    acts: [
      act('stakes an exact amount', 'stake', async (life) => ({ amount: text(some(life, 900)) })),
      act('stakes what a double reads', 'stake', async (life) => ({ amount: Number(formatAmount(some(life, 90), DECIMALS)) })),
      act('stakes a base unit', 'stake', async () => ({ amount: text(1n) })),
      act('unstakes a part', 'unstake', async (life) => ({
        amount: text(1n + (parseAmount(await all(life), DECIMALS) * BigInt(life.random(100))) / 101n),
      })),
      act('unstakes all', 'unstake', async (life) => ({ amount: exactNumber(await all(life)) })),
      act('unstakes all by a double', 'unstake', async (life) => ({ amount: Number(await all(life)) })),
      act('unstakes all but a base unit', 'unstake', async (life) => ({ amount: text(parseAmount(await all(life), DECIMALS) - 1n) })),
      act('unstakes a base unit', 'unstake', async (life) => {
        await all(life)
        return { amount: text(1n) }
      }),
      act('claims', 'claim-rewards', async () => ({})),
    ],
    events: [
      event('a day passes', ({ player }) => player.advance({ epochs: 1 })),
      event('some days pass', ({ player, random }) => player.advance({ epochs: 2 + random(9) })),
      event('every exit ends', ({ player }) => player.advance({ seconds: unbonding + 60 })),
      event('blocks pass', ({ operate }) => operate('mine', { blocks: 3 })),
      event('somebody sends it coins', ({ player }) => player.fund('3.000001')),
      event('it stakes by another front end', async ({ player, random }) =>
        chain().delegate(player.wallet.address, chain().validator(), 1n + BigInt(random(90_000_000))),
      ),
      event('its validator is slashed', ({ operate, random }) => operate('slash', { fraction: `0.00${1 + random(9)}`, since: 1 })),
      event('its validator is jailed', ({ operate }) => operate('jail', { seconds: 1 })),
      event('its validator is back', async ({ operate }) => {
        // Where it is in jail already, it comes out of that.
        await operate('jail', { seconds: 1 }).catch(() => undefined)
        await operate('mine', { blocks: 3 })
        await operate('unjail')
      }),
      event('rewards come in further denominations', ({ operate, random }) => operate('rewards', { denominations: [FURTHER[random(3)]] })),
      event('its rewards go to somebody else from now on', ({ player }) =>
        withdrawTo((state) => state.withdrawTo.set(player.wallet.address, player.newcomer().wallet.address)),
      ),
      event('its rewards come to it again', ({ player }) => withdrawTo((state) => state.withdrawTo.delete(player.wallet.address))),
      ...(hasFeeMarket
        ? [event('the price of gas changes', ({ operate, random }) => operate('gas-price', { price: `0.0${10 + random(30)}` }))]
        : []),
    ],
    async book({ player: { wallet } }: Life) {
      const { state } = node().app.view()
      const tokens = state.validators.get(chain().validator())?.tokens ?? 0n
      // No other wallet touches the validator meanwhile, and what it has less is not staked any more.
      return { holds: { native: state.balances.get(`${wallet.address}/${denom}`) ?? 0n }, staked: tokens, freed: -tokens }
    },
    /** Whatever a transaction offers is taken: a fee market keeps what it does not need. */
    async fee(_life: Life, txHash: string) {
      const sent = node()
        .txs()
        .findLast(({ hash }) => hash.toUpperCase() === txHash.toUpperCase())
      if (!sent) throw new TypeError(`no transaction ${txHash} is on the chain`)
      const coin = [2, 2, 1, 2].reduce<Buffer>((bytes, number) => fieldIn(bytes, number), Buffer.from(sent.bytes))
      return BigInt(coin.toString())
    },
    unused: {
      ...(hasFeeMarket ? {} : { 'gas-price': 'the chain has no fee market' }),
      keep: 'what a node keeps is no move',
      exhaust: 'gas is no move',
      tombstone: 'it is for ever, and other groups stake with the validator',
      commission: 'what a validator keeps is no move',
      params: 'the wait of an exit is what the lives go by',
      paid: 'it only tells',
      deposit: 'what a stranger pays is paid out as fees in further denominations are',
      vest: 'only an account that is new can be made to vest',
      blocks: 'whether a block comes at once is no move',
    },
  }
}

/** The first field of a number in a message of protobuf, which holds bytes. @see https://protobuf.dev/programming-guides/encoding (read 2026-11-28) */
function fieldIn(bytes: Buffer, wanted: number): Buffer {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    if (tag % 8 === 0) varint()
    else {
      const length = varint()
      if (Math.floor(tag / 8) === wanted) return bytes.subarray(at, at + length)
      at += length
    }
  }
  throw new RangeError(`no field ${wanted} in ${bytes.toString('hex')}`)
}
