import { membersOf, type NetworkBase } from '@svc/contract'
import type { AnyProtocol } from '@svc/contract/host'
import { termsOf } from '@svc/core/plugins'
import { readInput, review } from '@svc/verify/intent'
import { type Check, shown } from './check.ts'
import type { Answer } from './http.ts'
import { textual } from './textual.ts'

/** Checks that the caller's own check, by the intent and the pinned terms alone, accepts the service's craft. @param members whole body of the request */
export function vouched(
  check: Check,
  protocol: AnyProtocol,
  network: NetworkBase,
  action: string,
  members: Readonly<Record<string, unknown>>,
  answer: Answer,
): void {
  const { intent } = protocol
  const promised = intent && Object.hasOwn(intent.actions, action) ? intent.actions[action] : undefined
  if (!intent || !promised) return
  const terms = termsOf(protocol, network)
  const input = readInput(promised.input, textual(intent, action, members), terms.decimals)
  const headers = Object.fromEntries(answer.headers)
  const reviewed = review({ intent, action: promised, terms, input, answer: JSON.parse(answer.text), stated: headers })
  const wrong = membersOf(reviewed).mismatches
  check.ok(wrong === undefined, `${action}: the caller's own check takes what the service crafts`, shown(wrong))
}
