import {
  Authorized,
  Connection,
  Keypair,
  Lockup,
  PublicKey,
  StakeProgram,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import type { Test } from 'tap'
import { type SvmChain, startSvmChain } from '../src/index.ts'

export const sol = 1_000_000_000n

/** The well-known key pair of a seed of equal bytes. */
export const keypair = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte))

export interface Bench {
  readonly chain: SvmChain
  readonly connection: Connection
  readonly wallet: Keypair
  /** Sends instructions paid by the wallet, and answers the signature. */
  send(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<string>
  /** What the node says to them instead: code, err and logs. */
  refusal(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<Refusal>
  /** Bytes that are signed by the wallet and others, under a hash. */
  signed(instructions: readonly TransactionInstruction[], signers?: readonly Keypair[], lifetime?: string): Promise<Buffer>
  rpc(method: string, params?: readonly unknown[]): Promise<{ result?: any; error?: Refusal }>
  raw(bytes: Uint8Array, options?: Record<string, unknown>): Promise<{ result?: any; error?: Refusal }>
}

export interface Refusal {
  readonly code: number
  readonly message: string
  readonly data: { readonly err: unknown; readonly logs: readonly string[]; readonly unitsConsumed: number }
}

export async function bench(t: Test, options: Partial<Parameters<typeof startSvmChain>[0]> = {}): Promise<Bench> {
  const chain = await startSvmChain({ chainId: 'devnet', time: Date.UTC(2026, 10, 1), ...options })
  t.teardown(() => chain.close())
  const connection = new Connection(chain.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  const wallet = keypair(1)
  await chain.fund(wallet.publicKey.toBase58(), '100')

  async function signed(instructions: readonly TransactionInstruction[], signers: readonly Keypair[] = [], lifetime?: string) {
    const recentBlockhash = lifetime ?? (await connection.getLatestBlockhash()).blockhash
    const transaction = new Transaction({ feePayer: wallet.publicKey, blockhash: recentBlockhash, lastValidBlockHeight: 0 }).add(
      ...instructions,
    )
    transaction.sign(wallet, ...signers)
    return transaction.serialize()
  }
  async function rpc(method: string, params: readonly unknown[] = []) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return (await answer.json()) as { result?: any; error?: Refusal }
  }
  const raw = (bytes: Uint8Array, more: Record<string, unknown> = {}) =>
    rpc('sendTransaction', [Buffer.from(bytes).toString('base64'), { encoding: 'base64', preflightCommitment: 'confirmed', ...more }])
  return {
    chain,
    connection,
    wallet,
    signed,
    rpc,
    raw,
    async send(instructions, ...signers) {
      return connection.sendRawTransaction(await signed(instructions, signers))
    },
    async refusal(instructions, ...signers) {
      const { error } = await raw(await signed(instructions, signers))
      if (error === undefined) throw new Error('the node took it')
      return error
    },
  }
}

export { Keypair, PublicKey, StakeProgram, SystemProgram, Transaction }

export interface StakeRequest {
  readonly vote: string
  readonly lamports: bigint
  readonly seed: string
  readonly lockup?: Lockup
}

/** Instructions that make, initialize and delegate a stake account of this seed; the wallet alone signs. */
export async function stakeOf(wallet: PublicKey, { vote, lamports, seed, lockup = Lockup.default }: StakeRequest) {
  const account = await PublicKey.createWithSeed(wallet, seed, StakeProgram.programId)
  const made = StakeProgram.createAccountWithSeed({
    fromPubkey: wallet,
    stakePubkey: account,
    basePubkey: wallet,
    seed,
    authorized: new Authorized(wallet, wallet),
    lockup,
    lamports: Number(lamports),
  })
  const delegated = StakeProgram.delegate({ stakePubkey: account, authorizedPubkey: wallet, votePubkey: new PublicKey(vote) })
  return { account, instructions: [...made.instructions, ...delegated.instructions] }
}

export function deactivate(wallet: PublicKey, account: PublicKey): TransactionInstruction[] {
  return StakeProgram.deactivate({ stakePubkey: account, authorizedPubkey: wallet }).instructions
}

export function withdraw(wallet: PublicKey, account: PublicKey, lamports: bigint): TransactionInstruction[] {
  const to = { stakePubkey: account, authorizedPubkey: wallet, toPubkey: wallet, lamports: Number(lamports) }
  return StakeProgram.withdraw(to).instructions
}
