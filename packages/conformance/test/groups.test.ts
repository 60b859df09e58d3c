// alone: it runs every group against many plugins, in threads of its own

import { type Balance, type KnownPosition, type Moved, type ProtocolPlugin, protocol } from '@svc/contract'
import type { AnyKit } from '@svc/contract/host'
import { missingMethod } from '@svc/contract/requirements'
import t from 'tap'
import { Type } from 'typebox'
import { cosmosFamily } from '../src/families/cosmos/family.ts'
import { evmFamily } from '../src/families/evm/family.ts'
import { moveFamily } from '../src/families/move/family.ts'
import { svmFamily } from '../src/families/svm/family.ts'
import { type ConformanceOptions, checkPlugin, type GroupName, type GroupResult, startWorld } from '../src/index.ts'
import { broken, brokenFor, double, GROUPS, onKit, type Staking, same, staking, whatBreaks } from './paper/broken.ts'
import { paperScenario } from './paper/chain.ts'
import { paper } from './paper/kit.ts'
import { type Ctx, declaration, options } from './paper/plugin.ts'
import { createThreads } from './paper/threads.ts'

const { stake, unstake, withdraw } = declaration.actions
/** Those that take longest are run with what they are to find only. */
const SLOW: readonly GroupName[] = ['resilience', 'lies', 'agreement', 'life', 'endpoints']
/** Breakages of other groups that these find too. */
const ALSO: Readonly<Partial<Record<GroupName, readonly GroupName[]>>> = {
  // A family that reads signed transactions is asked for more.
  intent: ['signed'],
  hidden: ['intent'],
  former: ['intent', 'hidden', 'budget'],
}
const quick = GROUPS.filter((group) => !SLOW.includes(group))

// In another thread while the rest of this file runs in this one: each compiles everything for itself.
const threads = createThreads(1)
const right = threads.check([], GROUPS)
const found = GROUPS.map((group) => threads.check([group], [group]))
/** What cannot be crafted stops every group that crafts, so that it stands beside nothing else. */
const uncraftable = threads.check(['examples'], quick)
const blind = quick.map((group) =>
  threads.check(
    // An intent that is broken recognises nothing, which is its own group's finding and that of both groups that have something passed on; a second wave is found wherever it is counted.
    GROUPS.filter((other) => other !== group && other !== 'examples' && !ALSO[group]?.includes(other)),
    [group],
  ),
)
const world = await startWorld(paperScenario)
t.teardown(() => Promise.all([world.close(), threads.close()]))

const failing = (results: readonly Pick<GroupResult, 'group' | 'ok'>[]) => results.filter(({ ok }) => !ok).map(({ group }) => group)
const reasons = <F extends { readonly ok: boolean }>(results: readonly { readonly findings: readonly F[] }[]) =>
  results.flatMap(({ findings }) => findings.filter(({ ok }) => !ok))

t.test('a plugin with which no server starts fails every group that is asked for, and says why', async (t) => {
  const plugin = broken({
    routes(reads) {
      reads.get('/theft', { summary: 'Theft' } as never, async () => ({}))
    },
  })
  const results = await checkPlugin({ ...options, plugin, groups: ['tamper', 'declaration'] }, world)
  t.same(failing(results), ['declaration', 'tamper'])
  for (const { name, found } of reasons(results)) t.match(`${name}: ${found}`, /a server starts with the plugin: SettingsError .*theft/)
})

t.test('names that do not link craft, prepare and broadcast, or are not what the chain says, are named', async (t) => {
  const { names } = paper
  const wrong = (change: Partial<typeof names>) =>
    checkPlugin({ ...options, plugin: onKit({ names: { ...names, ...change } }), groups: ['bodies'] }, world)
  const unlinked = await wrong({ unsigned: (body, network) => `${names.unsigned(body, network)}${'signature_hex' in body ? '0' : ''}` })
  t.match(JSON.stringify(reasons(unlinked)), /the unsigned hash of a body of prepare is that of the signed one/)
  t.equal(reasons(unlinked).length, 1)
  const unsaid = await wrong({
    signed: (body, network) => ({ ...names.signed(body, network), unsignedHash: 'none' }),
  })
  t.match(JSON.stringify(reasons(unsaid)), /the unsigned hash of a craft is that of the signed one/)
})

t.test('a requirement that does not ask for the very calls that rest on it is named', async (t) => {
  const [desk] = declaration.requirements
  const { fee: _, ...others } = Object.fromEntries(desk.calls.map((name) => [name, []]))
  const plugin = broken({ requirements: [{ ...desk, probe: (ctx) => missingMethod(ctx, others) }] })
  const results = await checkPlugin({ ...options, plugin, groups: ['requirements'] }, world)
  t.match(
    reasons(results).map(({ name }) => name),
    ['a node that does not serve fee is found out by a requirement that names it'],
  )
})

t.test('a kit that does not compare two endpoints says why, and one that does says nothing', async (t) => {
  const { agrees: _, ...alone } = paper
  const plugin = protocol(alone as AnyKit, { validator: Type.String({ description: "The operator's validator." }) }).definePlugin(
    declaration as never,
  )
  const of = (more: Partial<ConformanceOptions>) => checkPlugin({ ...options, plugin, ...more, groups: ['agreement'] }, world)
  t.match(JSON.stringify(reasons(await of({}))), /the option agreement says in a sentence why not/)
  t.same(reasons(await of({ agreement: 'its nodes sign nothing' })), [])
  t.match(JSON.stringify(reasons(await of({ plugin: options.plugin, agreement: 'none' }))), /no option says why not/)
})

t.test('the drivers of this package leave out nothing that may be left out', async (t) => {
  const cosmos = cosmosFamily({ chainId: 'chain', prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1' })
  for (const { family, liar, life, thefts = [] } of [evmFamily, cosmos, svmFamily, moveFamily])
    t.match({ family, liar, life, thefts: thefts.length }, { liar: Object, life: Object, thefts: /^[1-9]/ })
})

t.test('an action without an example is named', async (t) => {
  const { withdraw: _, ...examples } = options.examples
  const results = await checkPlugin({ ...options, examples, groups: ['declaration', 'tamper'] }, world)
  t.same(failing(results), ['declaration', 'tamper'])
  t.match(JSON.stringify(reasons(results)), /withdraw has an example/)
})

t.test('a promise that the bytes break is one failure, which says where, what was promised and what was found', async (t) => {
  const plugin = brokenFor(['examples'])
  const [failure, ...others] = reasons(await checkPlugin({ ...options, plugin }, world))
  t.same(others, [])
  t.match(
    `${failure!.name}: ${failure!.found}`,
    /^stake: its example is crafted: .*calls\[0\]\.args\.amount: promised 1500001, found 1500000$/,
  )
  const alone = await checkPlugin({ ...options, plugin, groups: ['tamper', 'budget'] }, world)
  t.same(failing(alone), ['tamper'], 'without the group of the examples the first one that crafts says it')
  t.match(
    alone.map(({ skipped }) => skipped),
    [undefined, 'an example cannot be crafted'],
  )
})

t.test('a transaction that is withheld on the way to another example is named with its difference', async (t) => {
  const plugin = broken({
    actions: { unstake, withdraw, stake: staking(same, (amount) => (amount === 3_000_000n ? amount + 1n : amount)) },
  })
  const [failure, ...others] = reasons(await checkPlugin({ ...options, plugin }, world))
  t.same(others, [], 'once, although two examples need it')
  t.match(
    `${failure!.name}: ${failure!.found}`,
    /^unstake: .*stake: craft withheld it: calls\[0\]\.args\.amount: promised 3000001, found 3000000$/,
  )
})

/** Above what a double can hold, and what it takes to stake that much. */
const large = { least: 1n << 52n, stake: { body: { amount: '9007199254.740994' } } }
const withLarge = (change: Partial<ConformanceOptions>): ConformanceOptions => ({
  ...options,
  funds: '20000000000',
  examples: { ...options.examples, stake: large.stake },
  groups: ['amounts'],
  ...change,
})
const balanceOf = (change: (units: bigint) => bigint): ProtocolPlugin =>
  broken({
    async balance(ctx: Ctx, address: string): Promise<Balance> {
      const position = await declaration.balance(ctx, address)
      return { ...position, activating: change(position.activating!) }
    },
  })

for (const [what, plugin, told] of [
  [
    'a balance that went through a double',
    balanceOf(double),
    /activating shows digits that no double carries: \d+ base units, .*either the amount went through a Number/,
  ],
  ['a balance that is off by a base unit', balanceOf((units) => (units > 0n ? units + 1n : 0n)), /moves the position by just that/],
  ['a balance that leaves something out', balanceOf((units) => units / 2n), /moves the position by just that/],
] as const)
  t.test(`${what} is found`, async (t) => {
    const results = await checkPlugin(withLarge({ plugin }), world)
    t.match(
      reasons(results)
        .map(({ name, found }) => `${name}: ${found}`)
        .join('; '),
      told,
    )
    t.same(reasons(await checkPlugin(withLarge({}), world)), [], 'and without it nothing is')
  })

/** The paper plugin with other digests, which its balance tells too unless the test says what it does. */
const digesting = (of: (ctx: Ctx, address: string, right: string) => Promise<string>, balance = of): ProtocolPlugin =>
  broken({
    async digests(ctx: Ctx, positions: readonly KnownPosition[]) {
      const right = await declaration.digests(ctx, positions)
      return new Map(await Promise.all([...right].map(async ([address, digest]) => [address, await of(ctx, address, digest)] as const)))
    },
    async balance(ctx: Ctx, address: string): Promise<Balance> {
      const position = await declaration.balance(ctx, address)
      return { ...position, digest: await balance(ctx, address, position.digest!) }
    },
  })
const without = ({ digests: _, ...rest }: typeof declaration): ProtocolPlugin =>
  protocol(paper, { validator: Type.String({ description: "The operator's validator." }) }).definePlugin(rest as never)
const asRead = async (_ctx: Ctx, _address: string, digest: string) => digest

for (const [what, plugin, told] of [
  ['that never changes', digesting(async () => 'always'), /^after stake, which has changed the position, its digest is another one/m],
  [
    'that changes with the epoch',
    digesting(async ({ client }, _address, digest) => `${digest} ${await client.integer('epoch')}`),
    /^after advance \{"epochs":1\}, which has changed nothing of it, its digest is the same/m,
  ],
  ['that the balance does not tell', digesting(asRead, async () => 'another'), /^the digests of many are those of their balances$/m],
  [
    'that is made of what could not be read',
    broken({
      digests: (ctx: Ctx, positions: readonly KnownPosition[]) =>
        declaration.digests(ctx, positions).catch(() => new Map(positions.map(({ address }) => [address, 'nothing']))),
    }),
    /^a digest that cannot be read is an error or left out, and never a wrong one$/m,
  ],
  ['that a balance tells alone', without(declaration), /^without digests of many a balance tells none$/m],
] as const)
  t.test(`a digest ${what} is found`, async (t) => {
    const results = await checkPlugin({ ...options, plugin, groups: ['balance', 'journeys'] }, world)
    const names = reasons(results).map(({ name }) => name.replace(/^[^:]*: after/, 'after'))
    t.match(names.join('\n'), told)
  })

t.test('a guard that nobody has seen refuse is found, and its author told what to add', async (t) => {
  const plugin = broken({ actions: { unstake, withdraw, stake: { ...stake, guard: async () => undefined } } })
  const results = await checkPlugin({ ...options, plugin, groups: ['guards'] }, world)
  t.match(
    reasons(results).map(({ name, found }) => `${name}: ${found}`),
    [/^stake: its guard was seen to refuse a request: none of the options’ refusals and journeys .*add one, or leave the guard out$/],
  )
})

t.test('an obstacle that the action does not name is found', async (t) => {
  const plugin = broken({ actions: { unstake, withdraw, stake: { ...stake, obstacles: ['VALIDATOR_GONE'] } } })
  const results = await checkPlugin({ ...options, plugin, groups: ['condition'] }, world)
  t.match(
    reasons(results).map(({ name, found }) => `${name}: ${found}`),
    [/^paused: stake names VALIDATOR_CLOSED among its obstacles, .*VALIDATOR_GONE/],
  )
})

t.test('an endpoint that is blamed for what somebody asked for is found', async (t) => {
  const plugin = broken({
    actions: {
      unstake,
      withdraw,
      stake: {
        ...stake,
        async guard(ctx: Ctx, { address, amount }: Staking[1]) {
          await ctx.client.ask(
            'account',
            [address],
            () => BigInt.asUintN(64, amount) === amount || Buffer.alloc(8).writeBigUInt64LE(amount),
          )
        },
      },
    },
  })
  const results = await checkPlugin({ ...options, plugin, groups: ['amounts'] }, world)
  const names = reasons(results).map(({ name }) => name)
  t.match(names.join(), /no endpoint is blamed for amount/)
  t.ok(
    names.every((name) => /\d{30}/.test(name)),
    names.join(),
  )
})

t.test('an amount that is not in the bytes is found, unless the test says that it is converted', async (t) => {
  const sharesOf = (amount: bigint) => (amount < large.least ? amount : (amount * 2n) / 3n)
  const converting = (shares: (amount: bigint) => bigint) => broken({ actions: { unstake, withdraw, stake: staking(shares) } })
  const run = (plugin: ProtocolPlugin, converts: boolean) => {
    const stakes = { stake: { ...large.stake, converts } }
    return checkPlugin(withLarge({ plugin, examples: { ...options.examples, ...stakes } }), world).then(reasons)
  }
  t.match((await run(converting(sharesOf), false)).map(({ name }) => name).join(), /the bytes hold amount \d+, as it was asked for/)
  t.same(await run(converting(sharesOf), true), [])
  const stepped = await run(
    converting((amount) => (amount < large.least ? amount : (sharesOf(amount) / 4096n) * 4096n)),
    true,
  )
  t.match(stepped.map(({ name }) => name).join(), /follows? amount/, 'one that is converted by steps is found')
})

t.test('signers that the bytes cannot contradict are held against the wallet', async (t) => {
  const nameless = { ...paper, decode: (...given: Parameters<typeof paper.decode>) => ({ ...paper.decode(...given), signers: null }) }
  const own = protocol(nameless as AnyKit, { validator: Type.String({ description: "The operator's validator." }) })
  const elsewhere = (...given: Parameters<typeof stake.effects>) => ({ ...stake.effects(...given), signers: ['p1deadbeef'] })
  const wrong = own.definePlugin({ ...declaration, actions: { unstake, withdraw, stake: { ...stake, effects: elsewhere } } } as never)
  const results = await checkPlugin({ ...options, plugin: wrong, groups: ['examples'] }, world)
  t.match(
    reasons(results).map(({ name }) => name),
    ['stake: effects names the wallet as the only signer'],
  )
})

t.test('what may happen in random lives and never does is named, and so is an operation that none of them uses', async (t) => {
  const moves = options.moves!
  const events = [...moves.events, { name: 'the desk burns', run: () => Promise.reject(new RangeError('it is of stone')) }]
  const results = await checkPlugin(
    { ...options, moves: { ...moves, events, unused: { burn: 'there is no fire' } }, groups: ['moves'] },
    world,
  )
  const found = JSON.stringify(reasons(results))
  t.match(found, /everything that can happen to a wallet has happened.*the desk burns/)
  t.match(found, /every operation of the chain was used.*burn/)
  t.equal(reasons(results).length, 2)
})

t.test('an amount that is null has to have its reason, and one that the engine has not fixed must not be told', async (t) => {
  const told = (change: (move: Moved['moves'][number]) => Moved['moves'][number], book = options.moves!.book) => {
    const plugin = broken({
      moved: (...given: Parameters<typeof declaration.moved>) => {
        const { moves, objectIds } = declaration.moved(...given)
        return { objectIds, moves: moves.map((each) => (each.kind === 'freed' ? change(each) : each)) }
      },
    } as never)
    return checkPlugin({ ...options, plugin, moves: { ...options.moves!, book }, groups: ['moves'] }, world)
  }
  t.same(reasons(await told((move) => ({ ...move, amount: null, reason: 'the desk has lost it' }))), [])
  t.match(JSON.stringify(reasons(await told((move) => ({ ...move, amount: null })))), /freed is null with its reason/)
  const unfixed = await told(same as never, async (life) => ({ ...(await options.moves!.book(life)), freed: null }))
  t.match(
    reasons(unfixed)
      .map(({ name }) => name)
      .join('\n'),
    /no amount is told of freed, which the engine has not fixed/,
  )
})

t.test('a plugin in which everything is right passes every group', async (t) => {
  const results = await right
  t.same(reasons(results), [])
  t.same(
    results.map(({ group }) => group),
    GROUPS,
  )
  for (const { group, findings } of results) t.ok(findings.length > 0, `${group} made ${findings.length} findings`)
})

for (const [index, group] of GROUPS.entries())
  t.test(`${whatBreaks(group)}: ${group} fails`, async (t) => {
    t.same(failing(await found[index]!), [group])
  })

for (const [index, group] of quick.entries())
  t.test(`what every other group finds is nothing to ${group}`, async (t) => {
    const results = await blind[index]!
    t.same(reasons(results), [])
    t.same(
      results.map(({ group }) => group),
      [group],
    )
  })

t.test(`${whatBreaks('examples')}: examples fails, and nothing else`, async (t) => {
  t.same(failing(await uncraftable), ['examples'])
})
