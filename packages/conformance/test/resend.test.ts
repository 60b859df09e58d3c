import { declareErrors } from '@svc/contract'
import t from 'tap'
import { resent } from '../src/groups/life-resend.ts'
import { createCheck, type FamilyLife, startStage } from '../src/index.ts'
import { adviceIn } from '../src/life/advice.ts'
import { onKit } from './paper/broken.ts'
import { paper } from './paper/kit.ts'
import { paperLife } from './paper/life.ts'
import { options } from './paper/plugin.ts'
import { paperScenes } from './paper/scenes.ts'
import { readSigned } from './paper/wire.ts'

const { broadcast } = paper
const { badRequest } = declareErrors({ SENT_BEFORE: [400, 'Sent before.'] })
const LOST = 'every node lost it'
const OVER = 'every node lost it, and it can never land any more'

/** What is found of a kit that differs, where a transaction is lost. */
async function findingsOf(change: Parameters<typeof onKit>[0], life: FamilyLife = paperScenes): Promise<readonly string[]> {
  const subject = await startStage({ ...options, plugin: onKit(change) })
  try {
    const check = createCheck()
    await resent(subject, check, life)
    return check.findings.flatMap(({ ok, headline, name }) => (ok && !headline ? [] : [name]))
  } finally {
    await subject.close()
  }
}

const TRIED = '4 scenes of a transaction that every node lost tried'

await t.test('a transaction that every node lost is played with a family that says how', async (t) => {
  t.same(await findingsOf({}), [TRIED])
  const { loss: _, ...life } = paperScenes
  t.same(await findingsOf({}, life), [
    'the driver of the family paper says no way in which nodes lose a transaction, so that none is sent again',
  ])
})

await t.test('advice to make another transaction while the first can land is found', async (t) => {
  const look: typeof paperLife.look = async (ctx, subject) => {
    const seen = await paperLife.look(ctx, subject)
    return seen.status === 'pending' ? { ...seen, error: { code: 'LOST', reason: 'Nobody has it: craft it again.' } } : seen
  }
  const findings = await findingsOf({ life: { ...paperLife, look } })
  for (const name of [LOST, 'every node lost it, and its caller was sooner', 'no node answered, and none has it'])
    t.ok(findings.includes(`${name}: nobody is advised to make another one`), name)
  t.ok(findings.includes(`${OVER}: no other one is advised before its end is known`))
})

await t.test('a family whose nodes show what waits has to say that none holds it, and one whose nodes do not, not', async (t) => {
  const look: typeof paperLife.look = async (ctx, subject) => {
    const { held: _, ...seen } = await paperLife.look(ctx, subject)
    return seen
  }
  t.ok((await findingsOf({ life: { ...paperLife, look } })).includes(`${LOST}: the service sends it again by itself`))
  const { loss } = paperScenes
  if (!loss) throw new TypeError('paper has a way to lose a transaction')
  const blind = { ...paperScenes, loss: { ...loss, showsWaiting: () => false } }
  t.ok((await findingsOf({}, blind)).includes(`${LOST}: where nodes do not show what waits, the service sends nothing by itself`))
  t.same(await findingsOf({ life: { ...paperLife, look } }, blind), [TRIED])
})

await t.test('a repeat that is refused, and one with other bytes, are found', async (t) => {
  const seen = new Set<string>()
  const once: typeof broadcast = (ctx, body) => {
    const { text } = readSigned(body)
    if (seen.has(text)) throw badRequest('SENT_BEFORE', 'It was sent before.')
    seen.add(text)
    return broadcast(ctx, body)
  }
  const refused = await findingsOf({ broadcast: once })
  t.ok(refused.includes('every node lost it, and its caller was sooner: it is sent again: it is taken'))
  t.ok(refused.includes(`${LOST}: what the service sent again is on record, and how it ended`))
  let sends = 0
  const other: typeof broadcast = async ({ client }, { signed_hex }) => {
    const { text } = readSigned({ signed_hex })
    await client.ask('submit', [text, `${sends++}`], String)
    return { tx_hash: '' }
  }
  t.ok((await findingsOf({ broadcast: other })).includes(`${LOST}: nothing but the very same bytes was sent`))
})

await t.test('a rival that waits and is in the way of nothing is found', async (t) => {
  const { loss } = paperScenes
  if (!loss) throw new TypeError('paper has a way to lose a transaction')
  const nothing = async () => undefined
  const findings = await findingsOf({}, { ...paperScenes, loss: { ...loss, rival: { waits: nothing, gone: nothing } } })
  t.ok(findings.includes('every node lost it, and then its rival too: while the rival waits it is refused'))
  t.ok(findings.includes('5 scenes of a transaction that every node lost tried'))
})

await t.test('an end that is told too soon, and one that is never told, are found', async (t) => {
  const soon: typeof paperLife.look = async (ctx, subject) => {
    const seen = await paperLife.look(ctx, subject)
    return seen.status === 'pending' && subject.accepted ? { ...seen, status: 'expired', certainty: 'proven' } : seen
  }
  const early = await findingsOf({ life: { ...paperLife, look: soon } })
  t.ok(early.includes(`${LOST}: the service sends it again by itself`))
  t.ok(early.includes(`${OVER}: its end is replaced`))
  const never: typeof paperLife.look = async (ctx, subject) => {
    const seen = await paperLife.look(ctx, subject)
    return seen.status === 'replaced' ? { ...seen, status: 'pending', certainty: 'likely', replacedBy: null } : seen
  }
  const late = await findingsOf({ life: { ...paperLife, look: never } })
  t.ok(late.includes(`${OVER}: that is told`))
  t.ok(late.includes(`${OVER}: whoever sends it again is refused, with its end`))
})

await t.test('what advises another transaction is told from what keeps from it', async (t) => {
  for (const [answer, advice] of [
    ['Craft again.', 'Craft again'],
    ['so that it can never land: craft it again', 'craft it again'],
    ['Draft it anew and sign again.', 'Draft it anew'],
    ['sign another', 'sign another'],
    ['look tx_hash up before you craft another.', null],
    ['See what its wallet has sent before you make another.', null],
    ['sending the same bytes again is safe, and crafting another is not.', null],
    ['Wait for it, and craft no other before.', null],
    ['Look it up before you craft another. Then craft again.', 'craft again'],
  ] as const)
    t.equal(adviceIn(answer), advice, answer)
})
