import { membersOf } from '@svc/contract'
import { PublicKey } from '@svc/solana'
import { dataOf, key } from './accounts.ts'
import { malformed, type Rpc } from './rpc.ts'

/** Loader of programs that can be upgraded. @see https://docs.anza.xyz/runtime/programs (read 2026-11-29) */
const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111'
/** State of the account that holds such a program: a tag of four bytes, the slot of its last deployment, and an optional authority. @see https://docs.rs/solana-loader-v3-interface/latest/solana_loader_v3_interface/state/enum.UpgradeableLoaderState.html (read 2026-11-29) */
const PROGRAM_DATA = 3
const HEAD_BYTES = 45

/** Deployment of a program that can be upgraded. */
export interface Deployment {
  /** Slot of its last deployment. */
  readonly slot: bigint
  /** Authority that may replace the program, in base58; null: nobody may any more. */
  readonly authority: string | null
}

/**
 * Reads who may replace a program, and when it was replaced last, from the head of the account that contains it.
 *
 * @returns null for a program that no such loader has deployed
 * @throws 502, 503, 504
 */
export async function readDeployment({ rpc }: { readonly rpc: Rpc }, program: string): Promise<Deployment | null> {
  const [address] = PublicKey.findProgramAddressSync([new PublicKey(program).toBuffer()], new PublicKey(LOADER))
  const slice = { offset: 0, length: HEAD_BYTES }
  return rpc('getMultipleAccounts', [[address.toBase58()], { encoding: 'base64', commitment: 'confirmed', dataSlice: slice }], (answer) => {
    const { value } = membersOf(answer)
    if (!Array.isArray(value) || value.length !== 1) throw malformed(answer)
    if (value[0] === null) return null
    const { owner, data } = membersOf(value[0])
    if (key(owner) !== LOADER || !Array.isArray(data)) throw malformed(answer)
    return deploymentOf(dataOf(data[0], data[1]))
  })
}

/** @throws 502 for the head of another account */
function deploymentOf(head: Buffer): Deployment {
  if (head.length !== HEAD_BYTES || head.readUInt32LE(0) !== PROGRAM_DATA) throw malformed(head)
  const hasAuthority = head.readUInt8(12)
  if (hasAuthority > 1) throw malformed(head)
  return { slot: head.readBigUInt64LE(4), authority: hasAuthority === 0 ? null : new PublicKey(head.subarray(13)).toBase58() }
}
