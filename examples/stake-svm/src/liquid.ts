import { createPrivateKey, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { Connection, PublicKey } from '@solana/web3.js'
import { createClient, type VerifiedTransaction } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import {
  chainOf,
  heading,
  pinning,
  Refused,
  type Sandbox,
  say,
  sayPosition,
  sayRefusal,
  sayTerms,
  carryOut as settle,
} from '@svc/example-sandbox'
import { svmLiquid } from '@svc/intent-svm-liquid'
import { formatUnits } from '@svc/verify/intent'

/** The pool's token, and the programs by which a wallet's account for it is found. */
const MINT = new PublicKey('7Q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9Dcavn')
const ASSOCIATED_TOKEN = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
/** Offset of the amount in a token account. @see https://github.com/solana-program/token (state.rs, read 2026-11-21) */
const TOKEN_AMOUNT_AT = 64
/** Bytes before the 32 bytes of an Ed25519 seed in PKCS #8. @see https://www.rfc-editor.org/rfc/rfc8410 section 10.3 (read 2026-11-22) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Until a block is rooted: 32 slots. @see https://docs.anza.xyz/consensus/commitments (read 2026-11-22) */
const FINAL_SECONDS = 13
const AMOUNT = '2.000000001'

/** Pay into a stake pool, earn, and leave through its reserve. @throws Refused or SvcError with a sentence, before anything else is signed */
export async function liquid(sandbox: Sandbox): Promise<void> {
  const { trust, apiKey } = sandbox
  const [{ address: wallet_address, secretKey }] = sandbox.wallets.svm
  const { pool } = createClient({ trust, apiKey, protocols: { pool: svmLiquid } })
  const chain = chainOf(sandbox, `svm:${pool.terms.chainId}`)
  // Only to have two facts compared that the service says anyway; a caller without a node leaves them out, and reads their bounds instead.
  const node = new Connection(chain.rpcUrl, 'confirmed')
  // A hardware module, which gets the message and knows no chain: what it says was checked before.
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, base58.decode(secretKey).subarray(0, 32)]), format: 'der', type: 'pkcs8' })
  const module = rawSigner({ sign: async (message) => sign(null, message, key) })
  const carryOut = (tx: VerifiedTransaction) => settle(pool, tx, module, () => chain.advance({ seconds: FINAL_SECONDS }))
  const position = () => sayPosition(pool, wallet_address)
  heading('STAKE POOL')
  say(`service    ${trust.baseUrl}`)
  say(`wallet     ${wallet_address}`)

  // ---------- STEP 1: TERMS ----------
  heading('STEP 1  Which pool, on which terms?')
  await sayTerms(pool)
  // Had another token been agreed on, nothing that this service crafts could be signed.
  const elsewhere = pinning(trust, svmLiquid.path, { mint: wallet_address })
  const { pool: other } = createClient({ trust: elsewhere, apiKey, protocols: { pool: svmLiquid } })
  await sayRefusal(other.stake({ wallet_address, amount: AMOUNT }))

  // ---------- STEP 2: STAKE ----------
  // Tokens of the pool are worth more with every epoch. They are the position: there are no objects, and nothing has to warm up.
  heading(`STEP 2  Stake ${AMOUNT}`)
  const before = await tokens()
  await carryOut(await pool.stake({ wallet_address, amount: AMOUNT }))
  const received = (await tokens()) - before
  say(`received   ${formatUnits(received, 9)} pool tokens`)
  const { staked } = await position()

  // ---------- STEP 3: EARN ----------
  heading('STEP 3  Earn for an epoch')
  await chain.advance({ epochs: 1 })
  say('waiting    … an epoch, about 42 hours')
  const { staked: grown } = await position()
  say(`earned     ${formatUnits(grown.units - staked.units, 9)}`)

  // ---------- STEP 4: UNSTAKE ----------
  // In pool tokens. The pool pays at once from its reserve; when that is too small, the service crafts a stake account to be withdrawn later.
  heading(`STEP 4  Unstake ${formatUnits(received, 9)} pool tokens`)
  const { moves } = await carryOut(
    await pool.unstake({ wallet_address, amount: received }, { facts: { tokens: received, deferred: false } }),
  )
  const paid = moves?.find(({ kind }) => kind === 'arrives')?.amount ?? 0n
  if ((await tokens()) !== before) throw new Refused('Other pool tokens are left than there were before.')
  await position()
  say(`received   ${formatUnits(paid, 9)}`)

  heading('STAKE POOL: DONE')
  say(`${AMOUNT} went in and ${formatUnits(paid, 9)} came out, after the pool's fees; every transaction was checked.`)

  /** Pool tokens of the wallet, in base units, by your own node; nothing without an account. */
  async function tokens(): Promise<bigint> {
    const seeds = [new PublicKey(wallet_address), new PublicKey(pool.terms.token_program ?? ''), MINT].map((each) => each.toBytes())
    const [address] = PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN)
    const account = await node.getAccountInfo(address)
    return account?.data.readBigUInt64LE(TOKEN_AMOUNT_AT) ?? 0n
  }
}
