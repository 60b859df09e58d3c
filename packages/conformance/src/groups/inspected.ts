import { itemsOf, membersOf } from '@svc/contract'
import type { CraftReview } from '@svc/verify/intent'
import { type Check, shown } from '../check.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

const UNSIGNED = /^(serialized|unsigned)_tx_(hex|b64)$/
const SIGNED = /^signed_tx_(hex|b64)$/

/**
 * Tests the service's explanation of a transaction whose request it does not know: the same sentence as the caller's own check, for the craft and for its signed form; a
 * changed transaction is refused, or explained as what it is.
 */
export async function inspected(subject: Subject, check: Check, action: string, crafted: unknown, honest: CraftReview): Promise<void> {
  const { client, family, kit, direct } = subject
  const { player } = await subject.example(action)
  const inspect = (transaction: unknown) => client.post('/action/inspect', { transaction })
  const unsigned = bytesIn(crafted, UNSIGNED)
  const same = async (text: string, form: string) => {
    const answer = await inspect(text)
    if (!check.equal(answer.status, 200, `${action}: inspect reads the ${form} transaction`)) return {}
    const members = membersOf(answer.json)
    check.equal(members.sentence, honest.sentence, `${action}: and says the same of the ${form} one as the caller's own check`)
    check.equal(
      [members.known, members.form, members.validity],
      [true, form, honest.sentence.split('; ').at(-1)?.slice(0, -1)],
      `${action}: ${form}`,
    )
    check.equal(itemsOf(members.calls).length, honest.decoded.calls.length, `${action}: every call of the ${form} one is there`)
    return members
  }
  await same(unsigned, 'unsigned')

  const prepared = await client.post('/action/prepare', await family.sign(crafted, player.wallet))
  if (!check.equal(prepared.status, 200, `${action}: it is prepared`)) return
  const filter = { transaction: kit.names.unsigned(membersOf(crafted), direct.network), limit: 20 }
  const { records } = await subject.service.store.readAudit(filter)
  for (const [step, what] of [
    [action, 'crafted'],
    ['prepare', 'prepared'],
  ]) {
    const entry = records.find((record) => record.action === step)
    const expected = [honest.sentence, kit.address(player.wallet.address), honest.moves.length]
    const { sentence, wallet, moves } = { ...entry }
    check.equal([sentence, wallet, itemsOf(moves).length], expected, `${action}: the audit log says what was ${what}, and who signs`)
  }
  const signed = await same(bytesIn(prepared.json, SIGNED), 'signed')
  const { txHash } = kit.names.signed(membersOf(prepared.json), direct.network)
  check.equal(signed.tx_hash, txHash, `${action}: inspect names the signed one as the chain does`)
  const signatures = itemsOf(signed.signers).map((signer) => membersOf(signer).signature)
  check.ok(
    signatures.length > 0 && signatures.every((each) => each === 'right' || each === 'unchecked'),
    `${action}: every signature is right, as far as the bytes tell`,
    signatures,
  )

  for (const [what, text] of [
    ['cut short', unsigned.slice(0, -2)],
    ['longer', `${unsigned}00`],
    ['of letters', 'not a transaction'],
    ['empty', ''],
  ] as const) {
    const { status, code, sentence } = await inspect(text)
    check.ok(
      status === 400 && code === 'TRANSACTION_INVALID' && /^[A-Z0-9].*\.$/s.test(sentence),
      `${action}: a transaction that is ${what} is refused with a sentence`,
      `${status} ${code} ${shown(sentence)}`,
    )
  }
  const nothing = await client.post('/action/inspect', {})
  check.ok(
    nothing.status === 400 && nothing.sentence.includes('transaction'),
    `${action}: inspect without a transaction answers 400, naming it`,
  )
}

function bytesIn(answer: unknown, name: RegExp): string {
  const [, text] = present(
    Object.entries(membersOf(answer)).find(([each]) => name.test(each)),
    `a member ${name}`,
  )
  return String(text)
}
