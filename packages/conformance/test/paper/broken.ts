import { Amount, type Balance, isEndpointError, type KitIo, type ProtocolPlugin, protocol } from '@svc/contract'
import { termsOf } from '@svc/contract/control'
import { type AnyKit, namesOf } from '@svc/contract/host'
import { type ActionIntent, type Family, integerArg } from '@svc/verify/intent'
import { Type } from 'typebox'
import type { GroupName } from '../../src/index.ts'
import { hashOf } from './chain.ts'
import { stake as honest, unstake as honestExit, paperIntent } from './intent.ts'
import { decodePaper, PaperAddress, paper, signatureOf } from './kit.ts'
import { paperLife } from './life.ts'
import { type Ctx, declaration, definePlugin } from './plugin.ts'
import { fromHex, toHex } from './wire.ts'

/** The paper plugin with something broken in it. */
export const broken = (change: Partial<Declared>): ProtocolPlugin => definePlugin({ ...declaration, ...change })
export type Staking = Parameters<typeof declaration.actions.stake.craft>
/** `stake` with another amount in its bytes, and in its promise. */
export const staking = (bytes: (amount: bigint) => bigint, promise = bytes, stake: Action = declaration.actions.stake) => ({
  ...stake,
  craft: (network: Staking[0], input: Staking[1]) => stake.craft(network, { ...input, amount: bytes(input.amount) }, undefined),
  effects: (network: Staking[0], input: Staking[1]) => stake.effects(network, { ...input, amount: promise(input.amount) }, undefined),
})
/** An amount as it is. */
export const same = (amount: bigint) => amount
/** An amount that went through a double. */
export const double = (amount: bigint) => BigInt(Number(amount))

/** The paper plugin on a kit that differs. */
export const onKit = (change: Partial<typeof paper>): ProtocolPlugin => pluginOf({ kit: { ...paper, ...change }, declared: declaration })

type Declared = Parameters<typeof definePlugin>[0]
type Action = Declared['actions'][string]
/** What a plugin is made of. */
interface Parts {
  readonly kit: typeof paper
  readonly declared: Declared
}
/** Breaks something, and leaves what else is broken as it is. */
type Breakage = (parts: Parts) => Parts

const pluginOf = ({ kit, declared }: Parts): ProtocolPlugin =>
  protocol(kit as AnyKit, { validator: Type.String({ description: "The operator's validator." }) }).definePlugin(declared as never)

const onDeclared =
  (change: (declared: Declared) => Partial<Declared>): Breakage =>
  ({ kit, declared }) => ({ kit, declared: { ...declared, ...change(declared) } })
const onAction = (name: keyof typeof declaration.actions, change: (action: Action) => Action): Breakage =>
  onDeclared(({ actions }) => ({ actions: { ...actions, [name]: change(actions[name] ?? declaration.actions[name]) } }))
const onBalance = (change: (position: () => Promise<Balance>, ctx: Ctx, address: string) => Promise<Balance>): Breakage =>
  onDeclared(({ balance }) => ({ balance: (ctx: Ctx, address: string) => change(() => balance(ctx, address), ctx, address) }))
const onRoutes = (routes: NonNullable<Declared['routes']>): Breakage =>
  onDeclared((declared) => ({
    routes(reads) {
      declared.routes?.(reads)
      routes(reads)
    },
  }))

/** Promises the amount that the service has crafted, and not the one that was asked for. */
const believing: ActionIntent<object, typeof honest.input, { readonly amount: bigint }> = {
  input: honest.input,
  effects: (terms, { address }, { amount }) => honest.effects(terms, { address, amount }),
  factsOf: ({ calls }) => ({ facts: { amount: calls[0] ? integerArg(calls[0], 'amount') : 0n }, claimed: [] }),
}

/** The honest promise of `unstake`, of which nobody can tell by the bytes that it was asked for. */
const { requestOf: _, ...unrecognised } = honestExit

/** Reads signed transactions, and lets whoever signs choose the sequence. */
const lenient: Family = {
  ...paperIntent.family,
  async explain(text) {
    const { transaction, signature_hex } = JSON.parse(fromHex(text))
    const unsigned = JSON.stringify(transaction)
    const decoded = decodePaper({ tx_hex: toHex(unsigned), tx_hash_hex: hashOf(unsigned) })
    const signature = signature_hex === signatureOf(transaction.signer, unsigned) ? 'right' : 'wrong'
    const signers = [{ address: transaction.signer, signature }] as const
    return { decoded, form: 'signed', signers, unsigned: {}, hash: null, txHash: hashOf(text), notes: [] }
  },
  signed: { free: { sequence: 'any' }, body: (signed_hex) => ({ signed_hex }) },
}

const believingLife: typeof paperLife = {
  ...paperLife,
  async look(ctx, subject) {
    const { bounds } = subject
    const seen = await paperLife.look(ctx, subject)
    if (bounds === null || seen.status === 'final') return seen
    const [signer = '', sequence = ''] = [bounds.facts.signer, bounds.facts.sequence]
    const used = await ctx.client.ask('used', [signer, sequence], String)
    return used === 'nobody' ? seen : { ...seen, status: 'replaced', certainty: 'proven', replacedBy: used }
  },
}

/** For each group what it finds: everything else that it looks at is right. */
const BREAKAGES: Readonly<Record<GroupName, { readonly what: string; readonly breaks: Breakage }>> = {
  declaration: {
    what: 'a member of a body that is not described',
    breaks: onAction('stake', (stake) => ({
      ...stake,
      body: { address: Type.Unsafe<string>({ ...PaperAddress, description: '' }), amount: Amount() },
    })),
  },
  examples: {
    what: 'a promise of a base unit more than the bytes hold',
    breaks: onAction('stake', (stake) => staking(same, (amount) => amount + 1n, stake)),
  },
  networks: {
    what: 'a family whose type is another each time',
    breaks({ kit, declared }) {
      let asked = 0
      return { declared, kit: Object.defineProperty({ ...kit }, 'type', { enumerable: true, get: () => `${paper.type}${asked++}` }) }
    },
  },
  info: {
    what: 'a count of users that is 0 when its source fails',
    breaks: onDeclared(({ info }) => ({
      async info(ctx: Ctx) {
        const terms = await info(ctx)
        return { ...terms, users: terms.users ?? 0 }
      },
    })),
  },
  balance: {
    what: 'objects that share an identifier',
    breaks: onBalance(async (read) => {
      const position = await read()
      return { ...position, objects: position.objects!.map((object, _, [first]) => ({ ...object, id: first!.id })) }
    }),
  },
  bodies: {
    what: 'a member that takes anything',
    breaks: onAction('withdraw', (withdraw) => ({
      ...withdraw,
      body: { address: PaperAddress, urgent: Type.Optional(Type.Unsafe<boolean>({ description: 'Anything.', examples: [true] })) },
    })),
  },
  amounts: {
    what: 'an amount that went through a double on its way into the bytes, and on its way into the promise',
    breaks: onAction('stake', (stake) => staking(double, double, stake)),
  },
  journeys: {
    what: 'stake that is said to be active while it waits',
    breaks: onBalance(async (read) => {
      const position = await read()
      return { ...position, staked: position.activating!, activating: position.staked }
    }),
  },
  state: {
    what: 'a precondition that is left to the chain',
    breaks: onAction('unstake', ({ guard: _, ...unguarded }) => unguarded),
  },
  guards: {
    what: 'a guard that refuses nothing',
    breaks: onAction('withdraw', (withdraw) => ({ ...withdraw, guard: async () => undefined })),
  },
  life: {
    what: 'a used sequence that is taken for the proof that another transaction has used it',
    breaks: ({ kit, declared }) => ({ declared, kit: { ...kit, life: believingLife } }),
  },
  tamper: {
    what: 'a decoder that does not look at the hash',
    breaks: ({ kit, declared }) => ({
      declared,
      kit: {
        ...kit,
        decode: ({ tx_hex, ...rest }, expected, network, terms) =>
          kit.decode({ ...rest, tx_hex, tx_hash_hex: hashOf(Buffer.from(tx_hex, 'hex').toString('utf8')) }, expected, network, terms),
      },
    }),
  },
  intent: {
    what: 'an intent that believes whatever amount the bytes hold',
    breaks: onDeclared(() => ({ intent: { ...paperIntent, actions: { ...paperIntent.actions, stake: believing } } })),
  },
  signed: {
    what: 'a sequence that whoever signs may choose',
    breaks: onDeclared(({ intent = paperIntent }) => ({ intent: { ...intent, family: lenient } })),
  },
  ledger: {
    what: 'a book that is tried by nothing',
    breaks: onDeclared(() => ({
      book: {
        buckets: [{ name: 'stake', asset: 'native', kind: 'principal', movedBy: [] }],
        reading: async (ctx: Ctx) => ({ mark: { height: 1n, hash: 'b1', time: ctx.now(), epoch: null }, amounts: {}, keep: {} }),
      },
    })),
  },
  policy: {
    what: 'a read of its own that fails at what it is documented to take',
    breaks: onRoutes((reads) => {
      const Page = Type.Object({ page: Type.Integer({ description: 'Its number.' }) }, { description: 'A page.' })
      reads.get('/pages', { summary: 'Pages', response: { 200: Page } }, async () => {
        throw new RangeError('page 0')
      })
    }),
  },
  resilience: {
    what: 'an upstream failure that becomes a fault of its own',
    breaks: onBalance((read) =>
      read().catch((error: Error) => {
        throw new TypeError(`it failed: ${error.message}`)
      }),
    ),
  },
  lies: {
    what: 'a number that may be negative',
    breaks: onBalance(async (read, ctx, address) => {
      const [position, staked] = await Promise.all([
        read(),
        ctx.client.ask('account', [address], (it) => BigInt(/^-?\d+$/.exec((it as { staked: string }).staked)![0])),
      ])
      return staked < 0n ? { ...position, staked } : position
    }),
  },
  agreement: {
    what: 'readings that are asked of one endpoint where two have to agree',
    breaks: ({ kit, declared }) => ({
      kit: { ...kit, connect: (network, io) => kit.connect(network, { ...io, exchange: (work) => io.exchange(work) }) },
      declared,
    }),
  },
  budget: {
    what: 'a balance read in two waves',
    breaks: onBalance(async (read, ctx) => {
      await ctx.client.integer('epoch')
      return read()
    }),
  },
  condition: {
    what: 'a condition that is active whatever the chain says',
    breaks: onDeclared(({ condition }) => ({
      async condition(ctx: Ctx) {
        const conditions = await condition!(ctx)
        return conditions.map((each) => ({ ...each, state: 'active' as const, reason: null }))
      },
    })),
  },
  requirements: {
    what: 'a call that no requirement names',
    breaks: onBalance(async (read, ctx) => (await Promise.all([read(), ctx.client.integer('spare')]))[0]),
  },
  hidden: {
    what: 'an action that is not recognised in its own bytes',
    breaks: onDeclared(({ intent = paperIntent }) => ({ intent: { ...intent, actions: { ...intent.actions, unstake: unrecognised } } })),
  },
  former: {
    what: 'a position that is not there once the settings name another validator',
    breaks: onBalance(async (read, ctx) => {
      const position = await read()
      return ctx.network.validator === 'p1000000fe' ? { ...position, staked: 0n, activating: 0n, objects: [] } : position
    }),
  },
  endpoints: {
    what: 'answers that are judged when no other endpoint can be asked any more',
    breaks: ({ kit, declared }) => ({
      declared,
      kit: { ...kit, connect: (network, io) => kit.connect(network, { ...io, exchange: judgedLate(io) }) },
    }),
  },
  control: {
    what: 'powers over a position that no test changes',
    breaks: onBalance(async (read) => ({ ...(await read()), control: [] })),
  },
  terms: {
    what: 'terms of a product that no test changes',
    breaks: onDeclared(({ condition }) => ({
      async condition(ctx: Ctx) {
        const conditions = await condition!(ctx)
        return conditions.map((each) => ({ ...each, terms: termsOf('power', { owner: null }) }))
      },
    })),
  },
  moves: {
    what: 'an exit that is told as a base unit less than the chain has freed',
    breaks: onDeclared(({ moved = declaration.moved as NonNullable<Declared['moved']> }) => ({
      moved(...given: Parameters<NonNullable<Declared['moved']>>) {
        const told = moved(...given)
        return { ...told, moves: told.moves.map((each) => (each.kind === 'freed' ? { ...each, amount: (each.amount ?? 0n) - 1n } : each)) }
      },
    })),
  },
}

/** Lets what an exchange throws pass for its result, and throws it afterwards. */
function judgedLate({ exchange }: KitIo): KitIo['exchange'] {
  return async (work) => {
    const outcome = await exchange(async (...given) => {
      try {
        return { value: await work(...given) }
      } catch (error) {
        return { error }
      }
    })
    if ('value' in outcome) return outcome.value
    throw isEndpointError(outcome.error) ? outcome.error.refusal : outcome.error
  }
}

export const GROUPS = namesOf(BREAKAGES)

/** What is broken for a group, in a few words. */
export const whatBreaks = (group: GroupName): string => BREAKAGES[group].what

/** The paper plugin with everything broken that these groups find. */
export function brokenFor(groups: readonly GroupName[]): ProtocolPlugin {
  return pluginOf(groups.reduce((parts: Parts, group) => BREAKAGES[group].breaks(parts), { kit: paper, declared: declaration }))
}
