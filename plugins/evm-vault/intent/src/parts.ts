import type { Call } from '@svc/verify'
import { decodeCall } from '@svc/verify/evm'
import { type DecodedCall, Refused } from '@svc/verify/intent'
import { ALL, CLAIM, EXIT, HARVEST } from './methods.ts'

/** Calls that stand in a call of several. This service makes no calls within those within. */
const WITHIN = [HARVEST, EXIT, CLAIM]

/** Lists the calls that a call of the vault consists of, in their order. @returns null when one of them is not known */
export function partsOf(call: DecodedCall): readonly Call[] | null {
  if (call.method !== ALL) return [call]
  const { calls } = call.args
  const parts: Call[] = []
  for (const data of typeof calls === 'object' ? calls : []) {
    const part = typeof data === 'string' ? decodeCall(data, WITHIN) : null
    if (!part) return null
    parts.push({ target: call.target, value: 0n, ...part })
  }
  return parts
}

/** Lists the calls that a call of the vault consists of, and refuses one that is not known. @throws Refused */
export function knownParts(call: DecodedCall): readonly Call[] {
  const parts = partsOf(call)
  if (!parts) throw new Refused('args.calls', `calls of ${WITHIN.join(', ')}`, 'another one')
  return parts
}
