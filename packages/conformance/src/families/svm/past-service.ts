import { itemsOf, membersOf } from '@svc/contract'
import type { ForeignStage } from '../../control/options.ts'
import { awaitLanding } from '../../landing.ts'
import type { Player } from '../../player.ts'
import { base58 } from '../shared/base58.ts'
import { type Actor, act, has } from './life-wire.ts'
import type { SvmWallet } from './wallet.ts'
import type { Instruction, KeyPair } from './wire.ts'

/** Executes instructions by a player's wallet, without the service. @param others keys that sign besides it */
export async function acts(
  stage: ForeignStage,
  by: Player,
  instructions: readonly Instruction[],
  others: readonly KeyPair[] = [],
): Promise<void> {
  const { rpcUrl } = stage
  const actor: Actor = {
    rpcUrl,
    wallet: walletOf(by),
    placed: ({ txHash }) => awaitLanding(txHash, async () => ((await has(rpcUrl, txHash)) ? 'landed' : null)),
  }
  await act(actor, instructions, others)
}

function walletOf({ wallet }: Player): SvmWallet {
  return wallet as SvmWallet
}

/** Returns the key of a player's wallet. */
export function keyOfWallet(player: Player): KeyPair {
  return walletOf(player).key
}

/** Changes the data of each account of a program in an answer. */
export function rewritten(answer: string, program: Uint8Array, change: (data: Buffer) => void): string {
  const parsed = membersOf(JSON.parse(answer))
  const result = membersOf(parsed.result)
  const changed = (account: unknown): unknown => {
    const { owner, data } = membersOf(account)
    if (owner !== base58(program)) return account
    const bytes = Buffer.from(String(itemsOf(data)[0]), 'base64')
    change(bytes)
    return { ...membersOf(account), data: [bytes.toString('base64'), 'base64'] }
  }
  const value = itemsOf(result.value).map((each) => {
    const row = membersOf(each)
    return 'account' in row ? { ...row, account: changed(row.account) } : each === null ? null : changed(each)
  })
  return 'value' in result && Array.isArray(result.value) ? JSON.stringify({ ...parsed, result: { ...result, value } }) : answer
}
