import { defineMemo, type KitContext, malformedAnswer } from '@svc/contract'
import { readBytes } from './answer.ts'
import type { EvmClient } from './client.ts'
import { delegateOf, readDelegate } from './wallet-code.ts'

/**
 * Wallets of one call. The bytes that it returns count as the code of a contract, which is 24,576 bytes at most, and its own as code that makes one, 49,152 at most.
 *
 * @see https://eips.ethereum.org/EIPS/eip-170 and https://eips.ethereum.org/EIPS/eip-3860 (read 2026-11-29)
 */
const PER_CALL = 1_000
/** Bytes of the code of a wallet that is delegated: three, and the address of the contract. */
const SLOT = 23
/** Time for which a network whose endpoints do not run such a call is asked for each code by itself, in milliseconds. */
const ABSENT_MS = 3_600_000

/** Until when codes are asked for one by one. */
const absent = defineMemo<number>()

type Ctx = KitContext<EvmClient, unknown> & { readonly memo: object }

/**
 * Reads the contracts that many wallets are delegated to, a thousand in a call: one that would make a contract, whose code copies what is at each address, and returns it. Where
 * endpoints refuse such a call, each code is a call by itself.
 *
 * @returns the contract of each wallet, in their order; null: none
 * @throws 502, 503, 504
 */
export async function readDelegates(ctx: Ctx, wallets: readonly string[]): Promise<readonly (string | null)[]> {
  if (ctx.now().getTime() >= (absent.get(ctx) ?? 0)) {
    const parts = Array.from({ length: Math.ceil(wallets.length / PER_CALL) }, (_, at) => wallets.slice(at * PER_CALL, (at + 1) * PER_CALL))
    try {
      return (await Promise.all(parts.map((part) => readTogether(ctx.client, part)))).flat()
    } catch (err) {
      ctx.log.info({ err }, 'the endpoints do not read the codes of many wallets in one call; each is asked for by itself for an hour')
      absent.set(ctx, ctx.now().getTime() + ABSENT_MS)
    }
  }
  return Promise.all(wallets.map((wallet) => readDelegate(ctx.client, wallet)))
}

function readTogether(client: EvmClient, wallets: readonly string[]): Promise<readonly (string | null)[]> {
  return client.ask('eth_call', [{ data: copierOf(wallets) }, 'latest'], (answer) => {
    const bytes = Buffer.from(readBytes(answer).slice(2), 'hex')
    if (bytes.length !== 1 + SLOT * wallets.length || bytes[0] !== 0) throw malformedAnswer(answer)
    return wallets.map((_, at) => delegateOf(`0x${bytes.subarray(1 + SLOT * at, 1 + SLOT * (at + 1)).toString('hex')}`))
  })
}

/**
 * Writes the code that copies the first 23 bytes of the code of each wallet to a list, behind a byte of 0, since no contract may begin with the 0xef of a delegated wallet.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7702 (EXTCODECOPY reads a delegated wallet's own code) and https://eips.ethereum.org/EIPS/eip-3541 (read 2026-11-29)
 * @see https://ethereum.github.io/yellowpaper/paper.pdf appendix H (instructions, read 2026-11-29)
 */
function copierOf(wallets: readonly string[]): string {
  const word = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')
  const length = 1 + SLOT * wallets.length
  const scratch = word(length + 32, 3)
  const [loop, end, code] = [2, 51, 59].map((place) => word(place, 1))
  const instructions = [
    '6000', // PUSH1 0: the number of the wallet
    '5b', // JUMPDEST (2)
    `8061${word(wallets.length, 2)}1460${end}57`, // DUP1 PUSH2 count EQ PUSH1 end JUMPI
    `60148160140260${code}01`, // PUSH1 20, DUP2 PUSH1 20 MUL PUSH1 code ADD
    `62${scratch}39`, // PUSH3 scratch CODECOPY: the address
    '60176000', // PUSH1 23, PUSH1 0
    '82601702600101', // DUP3 PUSH1 23 MUL PUSH1 1 ADD: its place in the list
    `62${scratch}5160601c3c`, // PUSH3 scratch MLOAD PUSH1 96 SHR EXTCODECOPY
    `60010160${loop}56`, // PUSH1 1 ADD PUSH1 loop JUMP
    `5b62${word(length, 3)}6000f3`, // JUMPDEST (end) PUSH3 length PUSH1 0 RETURN
  ].join('')
  return `0x${instructions}${wallets.map((wallet) => wallet.slice(2).toLowerCase()).join('')}`
}
