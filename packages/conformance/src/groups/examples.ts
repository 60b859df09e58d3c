import { membersOf } from '@svc/contract'
import { type Check, thrown } from '../check.ts'
import type { CapturedCraft } from '../direct.ts'
import { StepFailed } from '../player.ts'
import type { Subject } from '../subject.ts'

/**
 * Tests that each example is crafted, and that its bytes are what `effects` promised; where they are not, the finding names the place, the promise and the actual value.
 * Each cause is reported once: an example that fails because another action was withheld on its way is not reported again.
 */
export async function examples(subject: Subject, check: Check): Promise<void> {
  const failed = new Map<string, unknown>()
  for (const action of subject.actions)
    try {
      const captured = await subject.captured(action)
      check.ok(true, `${action}: its example is crafted`)
      await signers(subject, check, action, captured)
    } catch (error) {
      failed.set(action, error)
    }
  const causes = new Set([...failed].filter(([, error]) => membersOf(error).mismatches).map(([action]) => action))
  for (const [action, error] of failed) {
    const { withheld } = error instanceof StepFailed ? error : {}
    if (withheld !== undefined && causes.has(withheld)) continue
    if (withheld !== undefined) causes.add(withheld)
    check.fail(`${action}: its example is crafted`, thrown(error))
  }
}

/** Checks the signers: where the bytes name who signs, the decode check has compared it; where they do not, the audit log believes what `effects` says. */
async function signers(subject: Subject, check: Check, action: string, { unsigned, effects, bounds }: CapturedCraft): Promise<void> {
  const { player } = await subject.example(action)
  const wallet = subject.kit.address(player.wallet.address)
  const decoded = subject.kit.decode(membersOf(unsigned), effects, subject.direct.network, bounds.terms ?? {})
  if (decoded.signers === null) check.equal(effects.signers, [wallet], `${action}: effects names the wallet as the only signer`)
  else check.ok(effects.signers.includes(wallet), `${action}: effects names the wallet among the signers`, effects.signers)
}
