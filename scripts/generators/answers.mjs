import { Transaction } from 'ethers'

/** Amount that is crafted, in whole tokens: as a double its wei would be others. */
export const AMOUNT = '12345.678901'
/** Its wei, which the bytes of the craft carry. */
const WEI = 0x29d42b64e3fd3ec5000n
/** Amount with more decimals than the token has, which is refused. */
export const TOO_FINE = '0.0000000000000000001'
/** Largest number that 32 bits with a sign hold. */
const MOST_INT32 = 2 ** 31 - 1

/**
 * Compares what a generated client has read with what the service holds.
 *
 * @param said text that the program has printed: a line of JSON
 * @returns a sentence for each member that is wrong
 */
export function judge(said, expected) {
  const { bytes, balance, created, refusal, ...rest } = lastLine(said)
  const wei = weiOf(bytes)
  const differences = [
    wei === WEI ? null : `the craft of ${AMOUNT} carries ${wei} wei, not ${WEI}: ${bytes}`,
    same('the balance', balance, expected.balance),
    Number(created) > MOST_INT32 ? same('the time of the history', created, expected.created) : `the time of the history is ${created}`,
    ...['status', 'code', 'error'].map((name) => same(`${name} of the refusal`, refusal?.[name], expected.refusal[name])),
    Object.keys(rest).length === 0 ? null : `the program printed more: ${Object.keys(rest)}`,
  ]
  return differences.filter((each) => each !== null)
}

function same(what, actual, expected) {
  return actual === expected ? null : `${what} is ${actual}, not ${expected}`
}

function lastLine(said) {
  const [line = ''] = said.trim().split('\n').slice(-1)
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`the program printed no JSON: ${said}`)
  }
}

function weiOf(bytes) {
  try {
    return Transaction.from(bytes).value
  } catch (error) {
    return error.message
  }
}
