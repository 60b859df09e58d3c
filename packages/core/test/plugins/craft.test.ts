import type { AnyAction } from '@svc/contract/host'
import { contextOf, desk, type PaperClient, type PaperDraft, paperKit, promise, readPaper } from '@svc/testing/paper'
import t, { type Test } from 'tap'
import { craft, DecodeMismatch } from '../../src/plugins/craft/craft.ts'
import { refusals } from './support/host.ts'

const { badRequest } = refusals

type PaperAction = AnyAction<PaperClient, object, PaperDraft>
const input = Object.freeze({ address: 'p001', amount: 10n })

/** Gives 10 to p002. */
const give: PaperAction = {
  summary: 'Give',
  body: {},
  craft: (_network, { address, amount }: typeof input) => ({ from: address, to: 'p002', verb: 'give', amount }),
  effects: (_network, { address, amount }: typeof input) => promise(address, 'p002', 'give', amount),
}
/** Goes by a plan, which is the amount as it was asked for. */
const asExpected = {
  expect: ({ amount }: typeof input) => ({ amount }),
  settle: (_network: object, { amount }: typeof input) => ({ amount }),
  craft: (_network: object, { address }: typeof input, { amount }: { amount: bigint }) => ({
    from: address,
    to: 'p002',
    verb: 'give',
    amount,
  }),
  effects: (_network: object, { address }: typeof input, { amount }: { amount: bigint }) => promise(address, 'p002', 'give', amount),
}
/** Goes by a plan that the chain corrects to 9. */
const nine = { ...asExpected, settle: () => ({ amount: 9n }) }
const run = (changes: Partial<PaperAction> = {}, kit = paperKit(), ctx = contextOf()) =>
  craft(kit, { ...give, ...changes } as PaperAction, ctx, input)
const refuse = (code: string) => async (): Promise<never> => {
  throw badRequest(code, code)
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

t.test('a transaction whose bytes say what was promised leaves, with its effects', async (t) => {
  t.same(await run(), {
    body: '{"unsigned_text":"paper|1|0|5|p001|p002|give|10"}',
    unsigned: { unsigned_text: 'paper|1|0|5|p001|p002|give|10' },
    effects: promise('p001', 'p002', 'give', 10n),
    terms: { serial: 0n },
    decoded: readPaper({ unsigned_text: 'paper|1|0|5|p001|p002|give|10' }),
    says: null,
  })
})

t.test('guard, read, preflight and, where no fact is needed, the simulation all start at once', async (t) => {
  const started: string[] = []
  const held = Promise.withResolvers<undefined>()
  const note = (name: string) => {
    started.push(name)
    return held.promise
  }
  const kit = paperKit({
    preflight: async () => {
      await note('preflight')
      return { serial: 0n, fee: 5n }
    },
    assemble: async (ctx, draft, preflight) => {
      await note('assemble')
      return paperKit().assemble(ctx, draft, preflight)
    },
  })
  const done = run({ guard: () => note('guard') as Promise<never>, read: undefined as never }, kit)
  await settled()
  t.same(started.splice(0).toSorted(), ['assemble', 'guard', 'preflight'])
  const settling = run(
    { guard: () => note('guard') as Promise<never>, read: () => note('read'), ...asExpected } as Partial<PaperAction>,
    kit,
  )
  await settled()
  t.same(started.toSorted(), ['assemble', 'guard', 'preflight', 'read'])
  held.resolve(undefined)
  await Promise.all([done, settling])
})

t.test('facts reach craft and effects, which wait for them', async (t) => {
  const facts = { to: 'p009' }
  const crafted = await run({
    read: async () => facts,
    craft: (_n: object, { address, amount }: typeof input, { to }: typeof facts) => ({ from: address, to, verb: 'give', amount }),
    effects: (_n: object, { address, amount }: typeof input, { to }: typeof facts) => promise(address, to, 'give', amount),
  } as Partial<PaperAction>)
  t.equal(crafted.unsigned.unsigned_text, 'paper|1|0|5|p001|p009|give|10')
})

t.test('of several refusals the most telling one wins: guard, then read, then simulation', async (t) => {
  const refusing = paperKit({ assemble: refuse('SIMULATION'), preflight: refuse('PREFLIGHT') })
  await t.rejects(run({ guard: refuse('GUARD'), read: refuse('READ') }, refusing), { code: 'GUARD' })
  await t.rejects(run({ read: refuse('READ') }, refusing), { code: 'READ' })
  await t.rejects(run({}, refusing), { code: 'SIMULATION' })
  const late: PaperAction['guard'] = async () => {
    await settled()
    await settled()
    throw badRequest('GUARD', 'GUARD')
  }
  await t.rejects(run({ guard: late, read: refuse('READ') }, refusing), { code: 'GUARD' }, 'also when it comes last')
  await t.rejects(run({ guard: late }, refusing), { code: 'GUARD' })
})

t.test('a settled action refuses in the same order, and what it settles comes before the simulation', async (t) => {
  const refusing = paperKit({ assemble: refuse('SIMULATION') })
  const settle = () => {
    throw badRequest('SETTLE', 'SETTLE')
  }
  const settling = (changes: object) => ({ ...asExpected, read: async () => ({}), settle, ...changes }) as Partial<PaperAction>
  await t.rejects(run(settling({ guard: refuse('GUARD'), read: refuse('READ') }), refusing), { code: 'GUARD' })
  await t.rejects(run(settling({ read: refuse('READ') }), refusing), { code: 'READ' })
  await t.rejects(run(settling({}), refusing), { code: 'SETTLE' })
  await t.rejects(run(settling(asExpected), refusing), { code: 'SIMULATION' })
})

/** A kit that keeps the drafts it assembles. */
function watched() {
  const drafts: PaperDraft[] = []
  const kit = paperKit({
    assemble(ctx, draft, preflight) {
      drafts.push(draft)
      return paperKit().assemble(ctx, draft, preflight)
    },
  })
  return { kit, drafts }
}

t.test('an input that settles as it is is assembled once, without waiting for the read', async (t) => {
  const { kit, drafts } = watched()
  const held = Promise.withResolvers<object>()
  const done = run({ read: () => held.promise, ...asExpected } as Partial<PaperAction>, kit)
  await settled()
  t.equal(drafts.length, 1)
  held.resolve({})
  t.equal((await done).unsigned.unsigned_text, 'paper|1|0|5|p001|p002|give|10')
  t.equal(drafts.length, 1)
})

t.test('a corrected input is assembled again, and its effects are those of the correction', async (t) => {
  const { kit, drafts } = watched()
  const crafted = await run({ read: async () => ({}), ...nine } as Partial<PaperAction>, kit)
  t.same(
    drafts.map(({ amount }) => amount),
    [10n, 9n],
  )
  t.equal(crafted.unsigned.unsigned_text, 'paper|1|0|5|p001|p002|give|9')
  t.equal(crafted.effects.calls[0]?.value, 9n)
})

t.test('a correction counts even where the simulation of what was asked is refused', async (t) => {
  const kit = paperKit({
    assemble: (ctx, draft, preflight) => (draft.amount === 10n ? refuse('SIMULATION')() : paperKit().assemble(ctx, draft, preflight)),
  })
  t.match(await run({ read: async () => ({}), ...nine } as Partial<PaperAction>, kit), { unsigned: { unsigned_text: /9$/ } })
})

t.test('effects get network, input and facts, and nothing that came from the draft', async (t) => {
  const facts = { fresh: true }
  const ctx = contextOf()
  let seen: unknown[] = []
  const effects = (...given: unknown[]) => {
    seen = given
    return promise('p001', 'p002', 'give', 10n)
  }
  await run({ read: async () => facts, effects } as Partial<PaperAction>, paperKit(), ctx)
  t.equal(seen.length, 3)
  t.ok(seen[0] === ctx.network && seen[1] === input && seen[2] === facts)
  await run({ read: async () => facts, ...asExpected, effects } as Partial<PaperAction>, paperKit(), ctx)
  t.same(seen, [ctx.network, input, { amount: 10n }], 'the plan stands for the facts of a settled action')
})

async function mismatches(t: Test, done: Promise<unknown>): Promise<DecodeMismatch['mismatches']> {
  const error = await done.catch((reason: unknown) => reason)
  t.ok(error instanceof DecodeMismatch)
  return (error as DecodeMismatch).mismatches
}

t.test('bytes that do something else are withheld, whatever differs', async (t) => {
  const differing: readonly [string, Partial<PaperDraft>][] = [
    ['calls[0].value', { amount: 11n }],
    ['calls[0].target', { to: 'p003' }],
    ['calls[0].method', { verb: 'take' }],
    ['signers[0]', { from: 'p003' }],
  ]
  for (const [path, change] of differing) {
    const changed = (_n: object, given: typeof input) => ({
      from: given.address,
      to: 'p002',
      verb: 'give',
      amount: given.amount,
      ...change,
    })
    t.match(await mismatches(t, run({ craft: changed } as Partial<PaperAction>)), [{ path }])
  }
})

t.test('bytes for another chain, with a fee above the cap, or on other terms are withheld', async (t) => {
  const written = (unsigned_text: string) => paperKit({ assemble: async () => ({ unsigned: { unsigned_text }, terms: { serial: 0n } }) })
  t.match(await mismatches(t, run({}, written('paper|2|0|5|p001|p002|give|10'))), [{ path: 'chainId', expected: '1', found: '2' }])
  t.match(await mismatches(t, run({}, written('paper|1|0|101|p001|p002|give|10'))), [
    { path: 'maxFee', expected: 'at most 100', found: '101' },
  ])
  t.match(await mismatches(t, run({}, written('paper|1|7|5|p001|p002|give|10'))), [{ path: 'terms.serial', expected: '0', found: '7' }])
})

t.test('one call more than was promised is withheld', async (t) => {
  const kit = paperKit({
    decode(unsigned) {
      const read = readPaper(unsigned)
      return { ...read, calls: [...read.calls, { target: 'p666', method: 'authorise', args: {}, value: 0n }] }
    },
  })
  t.match(await mismatches(t, run({}, kit)), [{ path: 'calls[1]', expected: 'nothing', found: /authorise on p666/ }])
})

t.test('bytes that cannot be read are withheld', async (t) => {
  const kit = paperKit({ assemble: async () => ({ unsigned: { unsigned_text: 'scribble' }, terms: {} }) })
  t.same(await mismatches(t, run({}, kit)), [{ path: 'bytes', expected: 'a transaction that can be read back', found: 'not a paper' }])
})

t.test('the refusal of a withheld transaction says nothing of it', async (t) => {
  const error = new DecodeMismatch([{ path: 'calls[0].value', expected: '1', found: '2' }])
  t.notMatch(error.message, /calls|value|1|2/)
})

t.test('a craft or effects that throw reject like anything else', async (t) => {
  const broken = () => {
    throw new TypeError('a fault')
  }
  await t.rejects(run({ craft: broken } as Partial<PaperAction>), TypeError)
  await t.rejects(run({ effects: broken } as Partial<PaperAction>), TypeError)
  await t.rejects(run({}, paperKit({ preflight: broken as never })), TypeError)
  await t.rejects(run({ ...asExpected, craft: broken, read: async () => ({}) } as Partial<PaperAction>), TypeError)
})

t.test('when the chain is away every part fails, one reason is answered, and no rejection is left over', async (t) => {
  const away = badRequest('AWAY', 'AWAY')
  const ctx = contextOf(desk({ serial: away, try: away }))
  const parts = { guard: refuse('GUARD'), read: refuse('READ') }
  await t.rejects(run(parts, paperKit(), ctx), { code: 'GUARD' })
  await t.rejects(run({}, paperKit(), ctx), { code: 'AWAY' })
  await t.rejects(run({ ...asExpected, ...parts } as Partial<PaperAction>, paperKit(), ctx), { code: 'GUARD' })
  for (let turn = 0; turn < 5; turn++) await settled()
  t.same(unhandled, [])
})

t.test('an action that promises nothing is withheld, since nothing could be checked', async (t) => {
  const nothing = () => ({ signers: ['p001'], calls: [] })
  t.match(await mismatches(t, run({ effects: nothing } as Partial<PaperAction>)), [{ path: 'calls', found: 'none' }])
})

t.test('decode gets the bytes, the promise, the network and the terms, and never the draft', async (t) => {
  let seen: unknown[] = []
  const kit = paperKit({
    decode(...given) {
      seen = given
      return readPaper(given[0])
    },
  })
  const ctx = contextOf()
  const { unsigned, effects } = await run({}, kit, ctx)
  t.equal(seen.length, 4)
  t.ok(seen[0] === unsigned && seen[1] === effects && seen[2] === ctx.network)
  t.same(seen[3], { serial: 0n })
})
