import { callText, differ, isRecord, memberPath, text } from './mismatch.ts'
import type { Bounds, Decoded, Effects, Mismatch } from './types.ts'

/**
 * Lists every difference between the decoded bytes and the promised effects: number and order of calls, their targets, methods, arguments and values, the signers and the
 * chain where the bytes name them, the fee, and the terms where they are given.
 *
 * Texts that are `0x` hex on both sides are compared without regard to case, everything else exactly; an integer never equals a text. Never throws: a value that is not of
 * the declared type is a difference, even when both sides are alike.
 *
 * @returns empty when, and only when, the bytes do what was promised and nothing else
 */
export function check(decoded: Decoded, effects: Effects, bounds: Bounds): readonly Mismatch[] {
  const mismatches: Mismatch[] = []
  try {
    compareCalls(mismatches, effects.calls, decoded.calls)
    if (decoded.signers !== null) compareValue(mismatches, 'signers', effects.signers, decoded.signers)
    if (decoded.keys !== undefined || effects.keys !== undefined) compareValue(mismatches, 'keys', effects.keys, decoded.keys)
    if (decoded.chainId !== null) compareText(mismatches, 'chainId', bounds.chainId, decoded.chainId)
    compareFee(mismatches, bounds.maxFee, decoded.maxFee)
    if (bounds.terms !== undefined) compareMembers(mismatches, 'terms', bounds.terms, decoded.terms)
  } catch {
    // A getter that throws, a proxy, a list that contains itself: nothing that a decoder or a well-meaning program makes.
    mismatches.push({ path: 'input', expected: 'plain data', found: 'a value that cannot be read' })
  }
  return mismatches
}

function compareCalls(mismatches: Mismatch[], expected: unknown, actual: unknown): void {
  if (!Array.isArray(expected) || !Array.isArray(actual)) {
    differ(mismatches, 'calls', expected, actual)
    return
  }
  for (let i = 0; i < Math.max(expected.length, actual.length); i++) {
    const path = `calls[${i}]`
    if (i >= expected.length) mismatches.push({ path, expected: 'nothing', found: callText(actual[i]) })
    else if (i >= actual.length) mismatches.push({ path, expected: callText(expected[i]), found: 'nothing' })
    else compareCall(mismatches, path, expected[i], actual[i])
  }
}

function compareCall(mismatches: Mismatch[], path: string, expected: unknown, actual: unknown): void {
  if (!isRecord(expected) || !isRecord(actual)) {
    differ(mismatches, path, expected, actual)
    return
  }
  compareText(mismatches, `${path}.target`, expected.target, actual.target)
  compareMethod(mismatches, `${path}.method`, expected.method, actual.method)
  compareMembers(mismatches, `${path}.args`, expected.args, actual.args)
  if (!isAmount(expected.value) || expected.value !== actual.value) differ(mismatches, `${path}.value`, expected.value, actual.value)
}

/** Compares a method. One that the decoder did not know equals nothing, not even the same words among the effects. */
function compareMethod(mismatches: Mismatch[], path: string, expected: unknown, actual: unknown): void {
  const isKnown = typeof actual === 'string' && !actual.startsWith('unknown ')
  if (!isKnown || expected !== actual) differ(mismatches, path, expected, actual)
}

/** Compares own members only, in both directions, so that no inherited name passes for an argument. */
function compareMembers(mismatches: Mismatch[], path: string, expected: unknown, actual: unknown): void {
  if (!isRecord(expected) || !isRecord(actual)) {
    differ(mismatches, path, expected, actual)
    return
  }
  for (const key of Reflect.ownKeys(expected)) {
    const member = memberPath(path, key)
    if (Object.hasOwn(actual, key)) compareValue(mismatches, member, expected[key], actual[key])
    else mismatches.push({ path: member, expected: text(expected[key]), found: 'nothing' })
  }
  for (const key of Reflect.ownKeys(actual)) {
    if (!Object.hasOwn(expected, key)) mismatches.push({ path: memberPath(path, key), expected: 'nothing', found: text(actual[key]) })
  }
}

function compareValue(mismatches: Mismatch[], path: string, expected: unknown, actual: unknown): void {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      differ(mismatches, path, expected, actual)
    } else {
      for (let i = 0; i < expected.length; i++) compareValue(mismatches, `${path}[${i}]`, expected[i], actual[i])
    }
  } else if (typeof expected === 'string') {
    compareText(mismatches, path, expected, actual)
  } else if ((typeof expected !== 'bigint' && typeof expected !== 'boolean') || expected !== actual) {
    differ(mismatches, path, expected, actual)
  }
}

const HEX = /^0x[0-9a-f]*$/i

function compareText(mismatches: Mismatch[], path: string, expected: unknown, actual: unknown): void {
  const equal =
    typeof expected === 'string' &&
    typeof actual === 'string' &&
    (expected === actual || (HEX.test(expected) && HEX.test(actual) && expected.toLowerCase() === actual.toLowerCase()))
  if (!equal) differ(mismatches, path, expected, actual)
}

function compareFee(mismatches: Mismatch[], most: unknown, actual: unknown): void {
  if (isAmount(most) && isAmount(actual) && actual <= most) return
  mismatches.push({ path: 'maxFee', expected: `at most ${text(most)}`, found: text(actual) })
}

function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 0n
}
