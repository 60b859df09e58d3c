import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { present } from '@svc/sandbox'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { accountBytes, toAddress } from '../address.ts'
import { type Context, coinText, emit } from '../context.ts'
import { ceil, formatDec } from '../dec.ts'
import { ChainError, feemarket, sdk } from '../errors.ts'
import { moduleAddress } from '../modules/auth.ts'
import { send } from '../modules/bank.ts'
import { gasPrice } from '../modules/feemarket.ts'
import type { Account } from '../state.ts'
import { shortDec } from '../wire.ts'
import { type DecodedTx, signerKey } from './decode.ts'
import { GasMeter } from './gas.ts'

/** For whom the checks are made: a simulation has no signature and no fee yet. */
type AnteMode = 'run' | 'simulate'

/**
 * The checks before a transaction's messages run, in the order of the chain: with a fee market the signature comes first, without
 * one the fee. On success the fee is paid, the key is stored and the sequence is one further.
 *
 * @throws ChainError
 */
export function runAnte(ctx: Context, tx: DecodedTx, mode: AnteMode, meter: GasMeter): void {
  checkBasics(ctx, tx)
  meter.consume('txSize', GasMeter.perByte * BigInt(sizeWithSignatures(tx, mode)))
  const steps = [() => checkSigners(ctx, tx, mode, meter), () => payFee(ctx, tx, mode, meter)]
  for (const step of ctx.genesis.fees.kind === 'feemarket' ? steps : steps.reverse()) step()
}

/** The fee that a transaction states, of one coin at most. */
export function statedFee(tx: DecodedTx): bigint {
  return BigInt(tx.authInfo.fee?.amount[0]?.amount ?? '0')
}

function checkBasics(ctx: Context, tx: DecodedTx): void {
  const { body, authInfo, messages, signatures, signers } = tx
  if (messages.length === 0) throw new ChainError(sdk.invalidRequest, 'must contain at least one message')
  for (const { amount, denom } of authInfo.fee?.amount ?? []) {
    if (!/^\d{1,78}$/.test(amount)) throw new ChainError(sdk.insufficientFee, `invalid fee provided: ${amount}${denom}`)
  }
  if (authInfo.fee?.granter) throw new ChainError(sdk.notFound, 'fee-grant not found')
  if (authInfo.fee?.payer && authInfo.fee.payer !== signers[0]) throw new ChainError(sdk.unauthorized, 'the fee payer has not signed')
  if (signatures.length === 0) throw new ChainError(sdk.noSignatures)
  if (signatures.length !== signers.length || authInfo.signerInfos.length !== signers.length) {
    throw new ChainError(sdk.unauthorized, `wrong number of signers; expected ${signers.length}, got ${signatures.length}`)
  }
  if (body.unordered) throw new ChainError(sdk.notSupported, 'unordered transactions are not enabled')
  if (body.timeoutHeight > 0n && ctx.height > body.timeoutHeight) {
    throw new ChainError(sdk.txTimeoutHeight, `block height: ${ctx.height}, timeout height: ${body.timeoutHeight}`)
  }
  if (body.timeoutTimestamp !== undefined) {
    const until = Number(body.timeoutTimestamp.seconds) * 1000 + body.timeoutTimestamp.nanos / 1e6
    if (until > 0 && ctx.time > until) {
      const [now, limit] = [ctx.time, until].map((time) => new Date(time).toISOString())
      throw new ChainError(sdk.txTimeout, `block time: ${now}, timeout timestamp: ${limit}`)
    }
  }
  const memo = Buffer.byteLength(body.memo)
  if (memo > ctx.genesis.maxMemo) {
    throw new ChainError(sdk.memoTooLarge, `maximum number of characters is ${ctx.genesis.maxMemo} but received ${memo} characters`)
  }
}

function checkSigners(ctx: Context, tx: DecodedTx, mode: AnteMode, meter: GasMeter): void {
  const accounts = tx.signers.map((address, index) => ({ address, account: withKey(ctx, tx, index, address, mode) }))
  for (const _ of accounts) meter.consume('ante verify: secp256k1', GasMeter.perSignature)
  for (const [index, { address, account }] of accounts.entries()) {
    const { sequence, modeInfo } = present(tx.authInfo.signerInfos[index], `a signer ${index}`)
    if (sequence !== account.sequence) {
      throw new ChainError(sdk.wrongSequence, `account sequence mismatch, expected ${account.sequence}, got ${sequence}`)
    }
    if (mode === 'run') {
      const direct = modeInfo?.single?.mode === SignMode.SIGN_MODE_DIRECT
      if (!direct || !isSigned(ctx, tx, account, present(tx.signatures[index], `a signature ${index}`))) {
        const why = direct ? 'unable to verify single signer signature' : 'this chain takes SIGN_MODE_DIRECT only'
        const named = `account number (${account.number}) and chain-id (${ctx.chainId})`
        throw new ChainError(sdk.unauthorized, `signature verification failed; please verify ${named}: (${why})`)
      }
    }
    ctx.state.accounts.set(address, { ...account, sequence: account.sequence + 1n })
    emit(ctx, 'tx', { acc_seq: `${address}/${sequence}` })
  }
}

function withKey(ctx: Context, tx: DecodedTx, index: number, address: string, mode: AnteMode): Account {
  const key = signerKey(tx, index)
  if (mode === 'run' && key !== undefined && toAddress(ctx.genesis.prefix, accountBytes(key)) !== address) {
    throw new ChainError(sdk.invalidPubKey, `pubKey does not match signer address ${address} with signer index: ${index}`)
  }
  const account = ctx.state.accounts.get(address)
  if (account === undefined) throw new ChainError(sdk.unknownAddress, `account ${address} does not exist`)
  if (account.publicKey !== undefined) return account
  if (key !== undefined) return { ...account, publicKey: key }
  if (mode === 'run') throw new ChainError(sdk.invalidPubKey, 'pubkey on account is not set')
  return account
}

/** Half of the curve's order: an `s` above it is the other signature of the same kind, and refused. */
const halfOrder = 0x7fffffff_ffffffff_ffffffff_ffffffff_5d576e73_57a4501d_dfe92f46_681b20a0n

function isSigned(ctx: Context, { bodyBytes, authInfoBytes }: DecodedTx, account: Account, signature: Uint8Array): boolean {
  if (signature.length !== 64 || account.publicKey === undefined) return false
  const document = { bodyBytes, authInfoBytes, chainId: ctx.chainId, accountNumber: account.number }
  const digest = sha256(SignDoc.encode(SignDoc.fromPartial(document)).finish())
  if (BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) > halfOrder) return false
  try {
    return Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), digest, account.publicKey)
  } catch {
    return false
  }
}

function payFee(ctx: Context, tx: DecodedTx, mode: AnteMode, meter: GasMeter): void {
  if (mode === 'simulate') return
  const { genesis } = ctx
  const coins = tx.authInfo.fee?.amount ?? []
  const gas = tx.authInfo.fee?.gasLimit ?? 0n
  const price = gasPrice(genesis, ctx.state)
  const required = ceil(price * gas)
  const got = coins.map(({ amount, denom }) => `${amount}${denom}`).join(',')
  const enough = coins.length === 1 && coins[0]?.denom === genesis.denom && BigInt(coins[0].amount) >= required
  if (genesis.fees.kind === 'feemarket') {
    if (gas === 0n) throw new ChainError(sdk.invalidGasLimit, 'must provide positive gas')
    if (coins.length === 0) throw new ChainError(feemarket.noFeeCoins, 'got length 0')
    if (coins.length > 1) throw new ChainError(feemarket.tooManyFeeCoins, `got length ${coins.length}`)
    if (!enough) {
      const terms = `got: ${got} required: ${coinText(ctx, required)}, minGasPrice: ${formatDec(price)}${genesis.denom}, gas: ${meter.used}`
      throw new ChainError(sdk.insufficientFee, `error checking fee: ${terms}`)
    }
  } else if (!enough) {
    const terms = `got: ${got}, required: ${coinText(ctx, required)} (min gas price: ${shortDec(price)} ${genesis.denom}/gas)`
    throw new ChainError(sdk.insufficientFee, `insufficient minimum gas price for this node; ${terms}`)
  }
  deduct(ctx, present(tx.signers[0], 'a signer'), statedFee(tx))
}

function deduct(ctx: Context, payer: string, fee: bigint): void {
  if (!ctx.state.accounts.has(payer)) throw new ChainError(sdk.unknownAddress, `fee payer address: ${payer} does not exist`)
  const { kind } = ctx.genesis.fees
  try {
    if (fee > 0n) send(ctx, payer, moduleAddress(ctx.genesis, 'fee_collector'), fee)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const why = error.message
    if (kind === 'minimum') throw new ChainError(sdk.insufficientFunds, why)
    throw new ChainError(sdk.insufficientFunds, `error escrowing funds: ${why.slice(0, why.lastIndexOf(': '))}`)
  }
  emit(ctx, 'tx', { fee: coinText(ctx, fee), fee_payer: payer })
}

/** A simulation's missing signature counts as if it were there. */
function sizeWithSignatures(tx: DecodedTx, mode: AnteMode): number {
  return mode === 'simulate' ? tx.size + tx.signatures.reduce((sum, signature) => sum + 64 - Math.min(64, signature.length), 0) : tx.size
}
