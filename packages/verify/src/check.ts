import { callText, differ, isRecord, memberPath, text } from './mismatch.ts'
import type { Bounds, Decoded, Effects, Mismatch } from './types.ts'

/**
 * Every difference between what bytes say and what was promised: number and order of calls, their targets, methods, arguments and
 * values, the signers and the chain where the bytes name them, the fee, and the terms where they are given.
 *
 * Texts that are `0x` hex on both sides compare without regard to case, everything else exactly; an integer never equals a text.
 * Never throws: what is not of the declared types is a difference, also when both sides are alike.
 *
 * @returns empty when, and only when, the bytes do what was promised and nothing else
 */
export function check(decoded: Decoded, effects: Effects, bounds: Bounds): readonly Mismatch[] {
  const found: Mismatch[] = []
  try {
    compareCalls(found, effects.calls, decoded.calls)
    if (decoded.signers !== null) compareValue(found, 'signers', effects.signers, decoded.signers)
    if (decoded.chainId !== null) compareText(found, 'chainId', bounds.chainId, decoded.chainId)
    compareFee(found, bounds.maxFee, decoded.maxFee)
    if (bounds.terms !== undefined) compareMembers(found, 'terms', bounds.terms, decoded.terms)
  } catch {
    // A getter that throws, a proxy, a list that contains itself: nothing that a decoder or a well-meaning program makes.
    found.push({ path: 'input', expected: 'plain data', found: 'a value that cannot be read' })
  }
  return found
}

function compareCalls(mismatches: Mismatch[], expected: unknown, found: unknown): void {
  if (!Array.isArray(expected) || !Array.isArray(found)) {
    differ(mismatches, 'calls', expected, found)
    return
  }
  for (let i = 0; i < Math.max(expected.length, found.length); i++) {
    const path = `calls[${i}]`
    if (i >= expected.length) mismatches.push({ path, expected: 'nothing', found: callText(found[i]) })
    else if (i >= found.length) mismatches.push({ path, expected: callText(expected[i]), found: 'nothing' })
    else compareCall(mismatches, path, expected[i], found[i])
  }
}

function compareCall(mismatches: Mismatch[], path: string, expected: unknown, found: unknown): void {
  if (!isRecord(expected) || !isRecord(found)) {
    differ(mismatches, path, expected, found)
    return
  }
  compareText(mismatches, `${path}.target`, expected.target, found.target)
  compareMethod(mismatches, `${path}.method`, expected.method, found.method)
  compareMembers(mismatches, `${path}.args`, expected.args, found.args)
  if (!isAmount(expected.value) || expected.value !== found.value) differ(mismatches, `${path}.value`, expected.value, found.value)
}

/** A method that the decoder did not know equals nothing, not even the same words among the effects. */
function compareMethod(mismatches: Mismatch[], path: string, expected: unknown, found: unknown): void {
  const known = typeof found === 'string' && !found.startsWith('unknown ')
  if (!known || expected !== found) differ(mismatches, path, expected, found)
}

/** Own members only, in both directions, so that no inherited name passes for an argument. */
function compareMembers(mismatches: Mismatch[], path: string, expected: unknown, found: unknown): void {
  if (!isRecord(expected) || !isRecord(found)) {
    differ(mismatches, path, expected, found)
    return
  }
  for (const key of Reflect.ownKeys(expected)) {
    const member = memberPath(path, key)
    if (Object.hasOwn(found, key)) compareValue(mismatches, member, expected[key], found[key])
    else mismatches.push({ path: member, expected: text(expected[key]), found: 'nothing' })
  }
  for (const key of Reflect.ownKeys(found)) {
    if (!Object.hasOwn(expected, key)) mismatches.push({ path: memberPath(path, key), expected: 'nothing', found: text(found[key]) })
  }
}

function compareValue(mismatches: Mismatch[], path: string, expected: unknown, found: unknown): void {
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length !== found.length) {
      differ(mismatches, path, expected, found)
    } else {
      for (let i = 0; i < expected.length; i++) compareValue(mismatches, `${path}[${i}]`, expected[i], found[i])
    }
  } else if (typeof expected === 'string') {
    compareText(mismatches, path, expected, found)
  } else if ((typeof expected !== 'bigint' && typeof expected !== 'boolean') || expected !== found) {
    differ(mismatches, path, expected, found)
  }
}

const HEX = /^0x[0-9a-f]*$/i

function compareText(mismatches: Mismatch[], path: string, expected: unknown, found: unknown): void {
  const equal =
    typeof expected === 'string' &&
    typeof found === 'string' &&
    (expected === found || (HEX.test(expected) && HEX.test(found) && expected.toLowerCase() === found.toLowerCase()))
  if (!equal) differ(mismatches, path, expected, found)
}

function compareFee(mismatches: Mismatch[], most: unknown, found: unknown): void {
  if (isAmount(most) && isAmount(found) && found <= most) return
  mismatches.push({ path: 'maxFee', expected: `at most ${text(most)}`, found: text(found) })
}

function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 0n
}
