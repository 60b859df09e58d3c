import { itemsOf, membersOf } from '@svc/contract'
import { termsOf } from '@svc/core/plugins'
import { actsOf, hiddenIn } from '@svc/verify/intent'
import type { Check } from '../check.ts'
import type { HiddenKind } from '../family.ts'
import type { Client } from '../http.ts'
import { seeded } from '../seeded.ts'
import type { Subject } from '../subject.ts'

/** Account that has any transaction sent. */
const ANY = 'any'
const CODE = 'TRANSACTION_HIDDEN_CALL'
/** First number of the row by which calls are hidden: any other would do. */
const SEED = 20_250_908
/** How often each kind is hidden in each action, with other accounts, amounts and places. */
const ROUNDS = 3

/**
 * Tests which transactions may be sent: a signed transaction of the plugin with a call hidden in it is refused at prepare and at broadcast, with the call named; one with
 * the usual additions of wallets and custodians is not; and for an account that may send any transaction, the former are sent too. Every one of them is reported as an
 * event.
 */
export async function hidden(subject: Subject, check: Check): Promise<void> {
  const { family, protocol, direct, kit } = subject
  const { intent } = protocol
  // The group `intent` has said what is missing.
  if (!intent) return
  const terms = termsOf(protocol, direct.network)
  for (const action of subject.actions) {
    const { unsigned, effects, bounds } = await subject.captured(action)
    const decoded = kit.decode(membersOf(unsigned), effects, direct.network, bounds.terms ?? {})
    const crafted = family.hidden ? await actsOf(intent, terms, bytesOf(unsigned)) : { decoded, signers: decoded.signers }
    check.equal(hiddenIn(intent, terms, crafted), null, `${action}: the intent recognises it in its bytes`)
  }
  const { hidden: hide, additions } = family
  if (!intent.family.explain || !hide || !additions) {
    check.note('no driver of this family hides calls in its transactions')
    return
  }
  const service = await subject.serve({ accounts: { [ANY]: { name: 'Any', broadcast: 'any' } } })
  try {
    const careful = await service.client()
    const any = await service.client(ANY)
    const random = seeded(SEED)
    const tally = new Map<HiddenKind, number>()
    let broadcasts = 0
    for (const action of subject.actions) {
      const { body, player } = await subject.example(action)
      const crafted = await careful.post(`/action/${action}`, body)
      if (!check.equal(crafted.status, 200, `${action}: it is crafted`)) continue
      const honest: unknown = JSON.parse(crafted.text)
      // A caller may pass everything on that was answered so far: what is read is what the step takes.
      const ordinary = membersOf(await signedBy(family.assembled, careful, await family.sign(honest, player.wallet)))
      for (let round = 0; round < ROUNDS; round++) {
        for (const { name, kind, unsigned, says, orSays = says } of hide(honest, random)) {
          const where = `${action}, round ${round}, ${kind}: ${name}`
          const prepare = await family.sign(unsigned, player.wallet)
          const signed = await signedBy(family.assembled, any, prepare)
          const beside = membersOf(honest)
          const answers = [
            ['prepare', await careful.post('/action/prepare', prepare)] as const,
            ['prepare beside an ordinary one', await careful.post('/action/prepare', { ...ordinary, ...prepare })] as const,
            ...(signed === null
              ? []
              : [
                  ['broadcast', await careful.post('/action/broadcast', signed)] as const,
                  [
                    'broadcast beside an ordinary one',
                    await careful.post('/action/broadcast', { ...beside, ...membersOf(signed) }),
                  ] as const,
                ]),
          ]
          if (signed !== null) broadcasts++
          for (const [step, { status, code, sentence }] of answers) {
            // A kit that takes a transaction in two forms refuses both at once for their form.
            if (step.endsWith('beside an ordinary one') && status === 400 && code === 'TRANSACTION_INVALID') continue
            check.equal([status, code], [400, CODE], `${where}: ${step} refuses it`)
            check.ok(
              [says, orSays].some((text) => sentence.toLowerCase().includes(text.toLowerCase())) &&
                sentence.endsWith('send it elsewhere if you mean it.'),
              `${where}: ${step} names the call`,
              sentence,
            )
          }
          tally.set(kind, (tally.get(kind) ?? 0) + 1)
        }
      }
      await passes(subject, check, action, { careful, any, honest })
    }
    const kinds = [...tally].map(([kind, count]) => `${kind} ${count}`).join(', ')
    check.tried(
      [...tally.values()].reduce((sum, count) => sum + count, 0),
      `hidden calls (${kinds})`,
    )
    // Where the service signs along, as for an account that it makes, nobody else can sign what was changed.
    check.tried(broadcasts, 'of them, signed, at broadcast')
    await told(subject, check)
  } finally {
    await service.close()
  }
}

/** The transaction of an answer, as a text that the reader takes. */
function bytesOf(unsigned: unknown): string {
  const [, text] = Object.entries(membersOf(unsigned)).find(([name]) => /^(serialized|unsigned)_tx_(hex|b64)$/.test(name)) ?? []
  return String(text)
}

/** What has nothing hidden in it goes its way, and so does anything for an account that has it sent. Whether the chain takes it is another matter. */
async function passes(
  { family, example, service: { store } }: Subject,
  check: Check,
  action: string,
  { careful, any, honest }: { readonly careful: Client; readonly any: Client; readonly honest: unknown },
): Promise<void> {
  const { player } = await example(action)
  for (const { name, unsigned } of family.additions?.(honest) ?? []) {
    const prepare = await family.sign(unsigned, player.wallet)
    const prepared = await careful.post('/action/prepare', prepare)
    check.ok(prepared.code !== CODE, `${action}: prepare takes it with ${name}`, prepared.sentence)
    const signed = await signedBy(family.assembled, careful, prepare)
    if (signed === null) continue
    const sent = await careful.post('/action/broadcast', signed)
    check.ok(sent.code !== CODE, `${action}: broadcast takes it with ${name}`, sent.sentence)
  }
  const [theft] = family.hidden?.(honest, seeded(SEED)) ?? []
  if (!theft) return
  const prepare = await family.sign(theft.unsigned, player.wallet)
  const signed = await signedBy(family.assembled, any, prepare)
  if (signed === null) return
  const sent = await any.post('/action/broadcast', signed)
  check.ok(sent.code !== CODE, `${action}: an account that has any sent has ${theft.name} sent`, sent.sentence)
  const { records } = await store.readAudit({ limit: 50, action: 'broadcast' })
  const record = records.find(({ requestId }) => requestId === sent.headers.get('x-request-id'))
  check.equal(record?.account, ANY, `${action}: and the audit log has it`)
}

/** Each refusal and each passing on is in the list of events of its account. */
async function told(subject: Subject, check: Check): Promise<void> {
  const operations = await subject.service.operations()
  const answer = await operations.get('/events?type=security.hidden_call&limit=1')
  const [event] = itemsOf(membersOf(answer.json).events)
  const { data } = membersOf(JSON.parse(String(membersOf(event).body)))
  const { call, refused: isRefused, network, protocol } = membersOf(data)
  check.ok(
    isRefused === true && typeof call === 'string' && String(network).includes(':') && typeof protocol === 'string',
    'the account is told what was refused',
    data,
  )
}

/** A body of broadcast; null where it lacks a signature that a wallet cannot make. */
async function signedBy(
  assembled: Subject['family']['assembled'],
  client: Client,
  prepare: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (assembled) return assembled(prepare)
  const { status, json } = await client.post('/action/prepare', prepare)
  return status === 200 ? json : null
}
