import type { SvmWallet } from '@svc/conformance/svm'
import {
  type Keypair,
  PublicKey,
  StakeProgram,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_STAKE_HISTORY_PUBKEY,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@svc/solana'
import { askNode } from '@svc/testing/svm-lives'
import { ASSOCIATED_TOKEN_PROGRAM, tokenAccountOf, validatorStakeOf, withdrawAuthorityOf } from '../src/chain/derived-addresses.ts'
import type { Behind } from './chain.ts'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_BYTES = 165
const STAKE_BYTES = 200
/** What an account holds for its rent, whatever the chain asks for it now: 6,960 lamports a byte and 128 more. */
const RENT = { token: 2_039_280, stake: 2_282_880 } as const

const reads = (address: PublicKey | string) => ({ pubkey: new PublicKey(address), isSigner: false, isWritable: false })
const writes = (address: PublicKey | string) => ({ pubkey: new PublicKey(address), isSigner: false, isWritable: true })
const signs = (address: PublicKey | string) => ({ pubkey: new PublicKey(address), isSigner: true, isWritable: false })
const pays = (address: PublicKey | string) => ({ pubkey: new PublicKey(address), isSigner: true, isWritable: true })
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
const keyBytes = (address: PublicKey | string) => new PublicKey(address).toBuffer()

/** Runs instructions past the service in a block of their own. @param payer who pays, and signs as the first. @throws where the chain refuses them */
export async function runPast(
  { svm }: Behind,
  payer: SvmWallet | Keypair,
  instructions: readonly TransactionInstruction[],
  others: readonly Keypair[] = [],
): Promise<void> {
  const { value } = await askNode<{ value: { blockhash: string; lastValidBlockHeight: number } }>(svm.rpcUrl, 'getLatestBlockhash', [])
  const feePayer = 'address' in payer ? new PublicKey(payer.address) : payer.publicKey
  const transaction = new Transaction({ feePayer, ...value }).add(...instructions)
  if ('address' in payer) transaction.addSignature(feePayer, Buffer.from(payer.key.sign(transaction.serializeMessage())))
  const signers = 'address' in payer ? others : [payer, ...others]
  if (signers.length > 0) transaction.partialSign(...signers)
  const bytes = transaction.serialize({ requireAllSignatures: true, verifySignatures: true })
  const options = { encoding: 'base64', skipPreflight: true }
  const signature = await askNode<string>(svm.rpcUrl, 'sendTransaction', [bytes.toString('base64'), options])
  await svm.mine(1)
  const { value: statuses } = await askNode<{ value: ({ err: unknown } | null)[] }>(svm.rpcUrl, 'getSignatureStatuses', [[signature]])
  if (statuses[0]?.err !== null) throw new Error(`${signature} failed: ${JSON.stringify(statuses[0]?.err)}`)
}

/** Instructions as other front ends write them, past the plugin. */
export function instructionsOn(chain: () => Behind) {
  const own = () => ({ ...chain().settings, tokenProgram: TOKEN_PROGRAM })
  const token = (data: Buffer, keys: TransactionInstruction['keys']) =>
    new TransactionInstruction({ programId: new PublicKey(TOKEN_PROGRAM), keys, data })
  const pool = (data: Buffer, keys: TransactionInstruction['keys']) =>
    new TransactionInstruction({ programId: new PublicKey(own().program), keys: [writes(own().pool), ...keys], data })
  const associated = (owner: PublicKey | string) => tokenAccountOf(String(owner), own())
  return {
    associated,
    createAssociated: (payer: PublicKey, owner: PublicKey) =>
      new TransactionInstruction({
        programId: ASSOCIATED_TOKEN_PROGRAM,
        keys: [
          pays(payer),
          writes(associated(owner)),
          reads(owner),
          reads(own().mint),
          reads(SystemProgram.programId),
          reads(TOKEN_PROGRAM),
        ],
        data: Buffer.from([1]),
      }),
    /** A token account at another address than the associated one. */
    createAccount: (payer: PublicKey, account: Keypair, owner: PublicKey) => [
      SystemProgram.createAccount({
        fromPubkey: payer,
        newAccountPubkey: account.publicKey,
        lamports: RENT.token,
        space: TOKEN_BYTES,
        programId: new PublicKey(TOKEN_PROGRAM),
      }),
      token(Buffer.concat([Buffer.from([18]), keyBytes(owner)]), [writes(account.publicKey), reads(own().mint)]),
    ],
    transfer: (from: PublicKey, to: PublicKey, by: PublicKey, units: bigint) =>
      token(Buffer.concat([Buffer.from([3]), u64(units)]), [writes(from), writes(to), signs(by)]),
    approve: (account: PublicKey, delegate: PublicKey, by: PublicKey, units: bigint) =>
      token(Buffer.concat([Buffer.from([4]), u64(units)]), [writes(account), reads(delegate), signs(by)]),
    burn: (account: PublicKey, by: PublicKey, units: bigint) =>
      token(Buffer.concat([Buffer.from([8]), u64(units)]), [writes(account), writes(own().mint), signs(by)]),
    close: (account: PublicKey, by: PublicKey) => token(Buffer.from([9]), [writes(account), writes(by), signs(by)]),
    giveAccount: (account: PublicKey, from: PublicKey, to: PublicKey) =>
      token(Buffer.concat([Buffer.from([6, 2, 1]), keyBytes(to)]), [writes(account), signs(from)]),
    deposit(from: PublicKey, to: PublicKey, referrer: PublicKey, lamports: bigint, least?: bigint) {
      const { reserve, managerFeeAccount } = chain().record()
      const keys = [
        ...[reads(withdrawAuthorityOf(own())), writes(reserve), pays(from), writes(to), writes(managerFeeAccount), writes(referrer)],
        ...[writes(own().mint), reads(SystemProgram.programId), reads(TOKEN_PROGRAM)],
      ]
      return pool(
        Buffer.concat([Buffer.from([least === undefined ? 14 : 25]), u64(lamports), ...(least === undefined ? [] : [u64(least)])]),
        keys,
      )
    },
    withdraw(owner: PublicKey, from: PublicKey, to: PublicKey, units: bigint, least?: bigint) {
      const { reserve, managerFeeAccount } = chain().record()
      const keys = [
        ...[reads(withdrawAuthorityOf(own())), signs(owner), writes(from), writes(reserve), writes(to), writes(managerFeeAccount)],
        ...[
          writes(own().mint),
          reads(SYSVAR_CLOCK_PUBKEY),
          reads(SYSVAR_STAKE_HISTORY_PUBKEY),
          reads(StakeProgram.programId),
          reads(TOKEN_PROGRAM),
        ],
      ]
      return pool(
        Buffer.concat([Buffer.from([least === undefined ? 16 : 26]), u64(units), ...(least === undefined ? [] : [u64(least)])]),
        keys,
      )
    },
    withdrawStake(owner: PublicKey, from: PublicKey, stake: Keypair, to: PublicKey, units: bigint) {
      const { validatorList, managerFeeAccount } = chain().record()
      const creation = SystemProgram.createAccount({
        fromPubkey: owner,
        newAccountPubkey: stake.publicKey,
        lamports: RENT.stake,
        space: STAKE_BYTES,
        programId: StakeProgram.programId,
      })
      const keys = [
        ...[writes(validatorList), reads(withdrawAuthorityOf(own())), writes(validatorStakeOf(own(), own().validator, 0))],
        ...[writes(stake.publicKey), reads(to), signs(owner), writes(from), writes(managerFeeAccount), writes(own().mint)],
        ...[reads(SYSVAR_CLOCK_PUBKEY), reads(TOKEN_PROGRAM), reads(StakeProgram.programId)],
      ]
      return [creation, pool(Buffer.concat([Buffer.from([10]), u64(units)]), keys)]
    },
  }
}
