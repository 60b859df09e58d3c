import { Amount, type AnyKit, type Balance, type Condition, type Info, type ProtocolPlugin, protocol } from '@svc/contract'
import { type ActionIntent, integerArg } from '@svc/verify/intent'
import { Type } from 'typebox'
import type { GroupName } from '../../src/index.ts'
import { hashOf } from './chain.ts'
import { stake as honest, paperIntent } from './intent.ts'
import { PaperAddress, paper } from './kit.ts'
import { paperLife } from './life.ts'
import { type Ctx, declaration, definePlugin } from './plugin.ts'

/** The paper plugin with something broken in it. */
export const broken = (change: Partial<Parameters<typeof definePlugin>[0]>): ProtocolPlugin => definePlugin({ ...declaration, ...change })
const { stake, unstake, withdraw } = declaration.actions
const { guard: _, ...unguarded } = unstake
export type Staking = Parameters<typeof stake.craft>
/** `stake` with another amount in its bytes, and in its promise. */
export const staking = (bytes: (amount: bigint) => bigint, promise = bytes) => ({
  ...stake,
  craft: (network: Staking[0], input: Staking[1]) => stake.craft(network, { ...input, amount: bytes(input.amount) }, undefined),
  effects: (network: Staking[0], input: Staking[1]) => stake.effects(network, { ...input, amount: promise(input.amount) }, undefined),
})
/** An amount as it is. */
export const same = (amount: bigint) => amount
/** An amount that went through a double. */
export const double = (amount: bigint) => BigInt(Number(amount))

/** The paper plugin on a kit that differs. */
export const onKit = (change: Partial<typeof paper>): ProtocolPlugin =>
  protocol({ ...paper, ...change } as AnyKit, { validator: Type.String({ description: "The operator's validator." }) }).definePlugin(
    declaration as never,
  )

/** Promises the amount that the service has crafted, and not the one that was asked for. */
const believing: ActionIntent<object, typeof honest.input, { readonly amount: bigint }> = {
  input: honest.input,
  effects: (terms, { address }, { amount }) => honest.effects(terms, { address, amount }),
  factsOf: ({ calls }) => ({ facts: { amount: calls[0] ? integerArg(calls[0], 'amount') : 0n }, claimed: [] }),
}

/** For each group a plugin in which everything is right but what the group looks at. */
export const BROKEN: Readonly<Record<GroupName, { readonly what: string; readonly plugin: ProtocolPlugin }>> = {
  declaration: {
    what: 'a member of a body that is not described',
    plugin: broken({
      actions: {
        unstake,
        withdraw,
        stake: { ...stake, body: { address: Type.Unsafe<string>({ ...PaperAddress, description: '' }), amount: Amount() } },
      },
    }),
  },
  examples: {
    what: 'a promise of a base unit more than the bytes hold',
    plugin: broken({ actions: { unstake, withdraw, stake: staking(same, (amount) => amount + 1n) } }),
  },
  networks: {
    what: 'two networks that are the default',
    plugin: broken({
      routes(app) {
        app.addHook('preSerialization', async (request, _reply, payload) =>
          request.routeOptions.url?.endsWith('/networks') && Array.isArray(payload)
            ? (payload as object[]).map((item) => ({ ...item, is_default: true }))
            : payload,
        )
      },
    }),
  },
  info: {
    what: 'a count of users that is 0 when its source fails',
    plugin: broken({
      async info(ctx: Ctx): Promise<Info> {
        const terms = await declaration.info(ctx)
        return { ...terms, users: terms.users ?? 0 }
      },
    }),
  },
  balance: {
    what: 'objects that share an identifier',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        const position = await declaration.balance(ctx, address)
        return { ...position, objects: position.objects!.map((object, _, [first]) => ({ ...object, id: first!.id })) }
      },
    }),
  },
  bodies: {
    what: 'a member that takes anything',
    plugin: broken({
      actions: {
        stake,
        unstake,
        withdraw: {
          ...withdraw,
          body: { address: PaperAddress, urgent: Type.Optional(Type.Unsafe<boolean>({ description: 'Anything.', examples: [true] })) },
        },
      },
    }),
  },
  amounts: {
    what: 'an amount that went through a double on its way into the bytes, and on its way into the promise',
    plugin: broken({ actions: { unstake, withdraw, stake: staking(double) } }),
  },
  journeys: {
    what: 'stake that is said to be active while it waits',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        const position = await declaration.balance(ctx, address)
        return { ...position, staked: position.activating!, activating: position.staked }
      },
    }),
  },
  state: {
    what: 'a precondition that is left to the chain',
    plugin: broken({ actions: { stake, withdraw, unstake: unguarded } }),
  },
  guards: {
    what: 'a guard that refuses nothing',
    plugin: broken({ actions: { stake, unstake, withdraw: { ...withdraw, guard: async () => undefined } } }),
  },
  life: {
    what: 'a used sequence that is taken for the proof that another transaction has used it',
    plugin: onKit({
      life: {
        ...paperLife,
        async look(ctx, subject) {
          const { bounds } = subject
          const seen = await paperLife.look(ctx, subject)
          if (bounds === null || seen.status === 'final') return seen
          const [signer = '', sequence = ''] = [bounds.facts.signer, bounds.facts.sequence]
          const used = await ctx.client.text('used', signer, sequence)
          return used === 'nobody' ? seen : { ...seen, status: 'replaced', certainty: 'proven', replacedBy: used }
        },
      },
    }),
  },
  tamper: {
    what: 'a decoder that does not look at the hash',
    plugin: onKit({
      decode: ({ tx_hex, ...rest }, expected, network, terms) =>
        paper.decode({ ...rest, tx_hex, tx_hash_hex: hashOf(Buffer.from(tx_hex, 'hex').toString('utf8')) }, expected, network, terms),
    }),
  },
  intent: {
    what: 'an intent that believes whatever amount the bytes hold',
    plugin: broken({
      intent: { ...paperIntent, actions: { ...paperIntent.actions, stake: believing } },
    }),
  },
  policy: {
    what: 'answers that hide the limit',
    plugin: broken({
      routes(app) {
        app.addHook('onSend', async (_request, reply) => {
          reply.removeHeader('x-ratelimit-remaining')
        })
      },
    }),
  },
  resilience: {
    what: 'an upstream failure that becomes a fault of its own',
    plugin: broken({
      balance: (ctx: Ctx, address: string) =>
        declaration.balance(ctx, address).catch((error: Error) => {
          throw new TypeError(`it failed: ${error.message}`)
        }),
    }),
  },
  lies: {
    what: 'a number that may be negative',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        const [position, staked] = await Promise.all([
          declaration.balance(ctx, address),
          ctx.client.ask('account', [address], (it) => BigInt(/^-?\d+$/.exec((it as { staked: string }).staked)![0])),
        ])
        return { ...position, staked }
      },
    }),
  },
  budget: {
    what: 'a balance read in two waves',
    plugin: broken({
      async balance(ctx: Ctx, address: string): Promise<Balance> {
        await ctx.client.integer('epoch')
        return declaration.balance(ctx, address)
      },
    }),
  },
  condition: {
    what: 'a condition that is active whatever the chain says',
    plugin: broken({
      async condition(ctx: Ctx): Promise<readonly Condition[]> {
        const conditions = await declaration.condition(ctx)
        return conditions.map((each) => ({ ...each, state: 'active', reason: null }))
      },
    }),
  },
}
