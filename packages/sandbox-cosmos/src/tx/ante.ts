import { isUtf8 } from 'node:buffer'
import { keccak256, Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { present } from '@svc/sandbox'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { SignDoc } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { accountBytes, addressBytes, toAddress } from '../address.ts'
import { type Context, coinText, emit } from '../context.ts'
import { ceil, formatDec, toDec } from '../dec.ts'
import { ChainError, feemarket, sdk, unregistered } from '../errors.ts'
import { ensureAccount, moduleAddress } from '../modules/auth.ts'
import { send, sendNothing } from '../modules/bank.ts'
import { gasPrice } from '../modules/feemarket.ts'
import { periodBytes } from '../modules/vesting.ts'
import type { Account } from '../state.ts'
import { aminoDocument } from './amino.ts'
import { type DecodedTx, signerKey } from './decode.ts'
import { GasMeter } from './gas.ts'
import { blockLimits } from './limits.ts'

/** For whom the checks are made: a simulation has no signature and no fee yet. */
type AnteMode = 'run' | 'simulate'

/**
 * Runs the checks before a transaction's messages, in the order of the chain: with a fee market the signature comes first, without one the fee. On success the fee is paid,
 * the key is stored and the sequence is incremented.
 *
 * @throws ChainError
 */
export function runAnte(ctx: Context, tx: DecodedTx, mode: AnteMode, meter: GasMeter): void {
  checkBasics(ctx, tx, meter)
  meter.consume('txSize', GasMeter.perByte * BigInt(sizeWithSignatures(tx, mode)))
  const steps = [() => checkSigners(ctx, tx, mode, meter), () => payFee(ctx, tx, mode, meter)]
  for (const step of ctx.genesis.fees.kind === 'feemarket' ? steps : steps.reverse()) step()
}

/** Returns the fee that a transaction states, in one coin at most. */
export function statedFee(tx: DecodedTx): bigint {
  return BigInt(tx.authInfo.fee?.amount[0]?.amount ?? '0')
}

function checkBasics(ctx: Context, tx: DecodedTx, meter: GasMeter): void {
  const { body, authInfo, messages, signatures, signers } = tx
  const { maxGas } = blockLimits(ctx.genesis)
  const feeGas = authInfo.fee?.gasLimit ?? 0n
  if (messages.length === 0) throw new ChainError(sdk.invalidRequest, 'must contain at least one message')
  if (maxGas >= 0n && feeGas > maxGas) throw new ChainError(sdk.invalidGasLimit, `tx gas limit ${feeGas} exceeds block max gas ${maxGas}`)
  if (ctx.genesis.node.celestiaCore) meter.consume('Has', 1000n)
  for (const { amount, denom } of authInfo.fee?.amount ?? []) {
    if (!/^\d{1,78}$/.test(amount)) throw new ChainError(sdk.insufficientFee, `invalid fee provided: ${amount}${denom}`)
  }
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
  // Celestia's fork asks how long a memo may be only where there is one.
  if (memo > 0 || !ctx.genesis.node.celestiaCore) readParameters(meter)
  if (memo > ctx.genesis.maxMemo) {
    throw new ChainError(sdk.memoTooLarge, `maximum number of characters is ${ctx.genesis.maxMemo} but received ${memo} characters`)
  }
}

/** Gas of reading the account module's parameters: 1000 and three for each of 14 bytes, key first. As recorded of both chains on 2026-11-23. */
function readParameters(meter: GasMeter): void {
  meter.consume('ReadFlat', 1000n)
  meter.consume('ReadPerByte', 3n)
  meter.consume('ReadPerByte', 39n)
}

function checkSigners(ctx: Context, tx: DecodedTx, mode: AnteMode, meter: GasMeter): void {
  const accounts = tx.signers.map((address, index) => ({ address, account: withKey(ctx, tx, index, { address, mode, meter }) }))
  for (const _ of accounts) meter.consume('ante verify: secp256k1', GasMeter.perSignature)
  for (const [index, { address, account }] of accounts.entries()) {
    const { sequence, modeInfo } = present(tx.authInfo.signerInfos[index], `a signer ${index}`)
    if (sequence !== account.sequence) {
      throw new ChainError(sdk.wrongSequence, `account sequence mismatch, expected ${account.sequence}, got ${sequence}`)
    }
    if (mode === 'run') {
      const document = signedDocument(ctx, tx, account, modeInfo?.single?.mode)
      if (document === null || !isSigned(ctx, document, account, present(tx.signatures[index], `a signature ${index}`))) {
        const why = document === null ? 'this chain takes SIGN_MODE_DIRECT and amino JSON only' : 'unable to verify single signer signature'
        const subject = `account number (${account.number}) and chain-id (${ctx.chainId})`
        throw new ChainError(sdk.unauthorized, `signature verification failed; please verify ${subject}: (${why})`)
      }
    }
    meter.consume('ReadPerByte', GasMeter.perPeriodByte * periodBytes(account.vesting, ctx.genesis.denom))
    ctx.state.accounts.set(address, { ...account, sequence: account.sequence + 1n })
    emit(ctx, 'tx', { acc_seq: `${address}/${sequence}` })
    emit(ctx, 'tx', { signature: Buffer.from(tx.signatures[index] ?? []).toString('base64') })
  }
}

function withKey(
  ctx: Context,
  tx: DecodedTx,
  index: number,
  { address, mode, meter }: { address: string; mode: AnteMode; meter: GasMeter },
): Account {
  const key = signerKey(ctx.genesis, tx, index)
  if (mode === 'run' && key !== undefined && toAddress(ctx.genesis.prefix, accountBytes(ctx.genesis, key)) !== address) {
    throw new ChainError(sdk.invalidPubKey, `pubKey does not match signer address ${address} with signer index: ${index}`)
  }
  const account = ctx.state.accounts.get(address)
  if (account === undefined) throw new ChainError(sdk.unknownAddress, `account ${address} does not exist`)
  if (account.publicKey !== undefined) return account
  if (key !== undefined) {
    meter.consume('WriteFlat', anteGas.firstKey)
    return { ...account, publicKey: key }
  }
  if (mode === 'run') throw new ChainError(sdk.invalidPubKey, 'pubkey on account is not set')
  return account
}

/** Half of the curve's order: an `s` above it is the other signature of the same kind, and refused. */
const halfOrder = 0x7fffffff_ffffffff_ffffffff_ffffffff_5d576e73_57a4501d_dfe92f46_681b20a0n

/** What a signer of a transaction signs in a mode; null for a mode, or a form, that this chain does not know. */
function signedDocument(ctx: Context, tx: DecodedTx, { number, sequence }: Account, mode?: SignMode): Uint8Array | null {
  const { bodyBytes, authInfoBytes } = tx
  const { chainId, genesis } = ctx
  if (mode === SignMode.SIGN_MODE_DIRECT)
    return SignDoc.encode(SignDoc.fromPartial({ bodyBytes, authInfoBytes, chainId, accountNumber: number })).finish()
  // With keys of Ethereum such a document is signed as typed data.
  if (mode !== SignMode.SIGN_MODE_LEGACY_AMINO_JSON || genesis.algorithm !== 'secp256k1') return null
  return aminoDocument(tx, { chainId, accountNumber: number, sequence })
}

function isSigned(ctx: Context, document: Uint8Array, account: Account, signature: Uint8Array): boolean {
  if (signature.length !== 64 || account.publicKey === undefined) return false
  const hash = ctx.genesis.algorithm === 'ethsecp256k1' ? keccak256 : sha256
  const digest = hash(document)
  if (BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) > halfOrder) return false
  try {
    return Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), digest, account.publicKey)
  } catch {
    return false
  }
}

function payFee(ctx: Context, tx: DecodedTx, mode: AnteMode, meter: GasMeter): void {
  if (ctx.genesis.fees.kind === 'feemarket') {
    // The fee market takes no fee in a simulation, whatever stands there: skip-mev/feemarket x/feemarket/ante/fee.go, v1.1.2 (read 2026-11-23).
    if (mode === 'run') checkMarketFee(ctx, tx, meter)
    meter.consume('ReadFlat', mode === 'run' ? anteGas.market + anteGas.escrow : anteGas.market)
    escrow(ctx, tx, mode === 'run' ? coinsOf(tx) : [])
  } else {
    if (mode === 'run') checkMinimumFee(ctx, tx)
    const pays = coinsOf(tx).some(({ amount }) => amount !== '0')
    meter.consume('ReadFlat', pays ? anteGas.minimum + anteGas.deduction : anteGas.minimum)
    deduct(ctx, tx, coinsOf(tx))
  }
}

/**
 * Gas of the checks besides size, signature and parameters. The fee market counts a flat part always, and the escrow and the tip only when it is no
 * simulation; Celestia counts the deduction wherever a fee stands; and an account's key is
 * written by its first transaction. From the gas of failures and simulations, as recorded of both on 2026-11-23.
 */
const anteGas = { market: 62_500n, escrow: 17_000n, minimum: 26_300n, deduction: 16_400n, firstKey: 10_000n } as const

type Coins = readonly { readonly denom: string; readonly amount: string }[]

function coinsOf(tx: DecodedTx): Coins {
  return tx.authInfo.fee?.amount ?? []
}

function textOf(coins: Coins): string {
  return coins.map(({ amount, denom }) => `${amount}${denom}`).join(',')
}

function checkMarketFee(ctx: Context, tx: DecodedTx, meter: GasMeter): void {
  const { genesis } = ctx
  const coins = coinsOf(tx)
  const gas = tx.authInfo.fee?.gasLimit ?? 0n
  const price = gasPrice(genesis, ctx.state)
  if (gas === 0n) throw new ChainError(sdk.invalidGasLimit, 'must provide positive gas')
  const [coin] = coins
  if (coin === undefined) throw new ChainError(feemarket.noFeeCoins, 'got length 0')
  if (coins.length > 1) throw new ChainError(feemarket.tooManyFeeCoins, `got length ${coins.length}`)
  if (coin.denom !== genesis.denom)
    throw new ChainError(unregistered(`unable to get min gas price for denom ${coin.denom}: error resolving denom`))
  const required = ceil(price * gas)
  if (BigInt(coin.amount) < required) {
    const terms = `got: ${textOf(coins)} required: ${coinText(ctx, required)}, minGasPrice: ${formatDec(price)}${genesis.denom}, gas: ${meter.used}`
    throw new ChainError(sdk.insufficientFee, `error checking fee: ${terms}`)
  }
}

/** The node's own minimum, which looks at the coin of the chain alone. See celestia-app app/ante/fee_checker.go (v6, read 2026-11-23). */
function checkMinimumFee(ctx: Context, tx: DecodedTx): void {
  const gas = tx.authInfo.fee?.gasLimit ?? 0n
  const price = gasPrice(ctx.genesis, ctx.state)
  const fee = BigInt(coinsOf(tx).find(({ denom }) => denom === ctx.genesis.denom)?.amount ?? '0')
  const required = toDec(ceil(price * gas))
  if (toDec(fee) >= required) return
  const paid = gas === 0n ? 0n : toDec(fee) / gas
  const terms = `got fee: ${fee} and gas price of ${formatDec(paid)} but required at least: ${formatDec(required)} and a minimum gas price of ${formatDec(price)}`
  throw new ChainError(sdk.insufficientFee, `insufficient minimum gas price for this node; ${terms}`)
}

/** Puts the fee aside until it is known what of it is a tip. */
function escrow(ctx: Context, tx: DecodedTx, coins: Coins): void {
  const payer = payerOf(ctx, tx, (why) => `error escrowing funds: ${why}`)
  const collector = moduleAddress(ctx.genesis, 'feemarket-fee-collector')
  ensureAccount(ctx.state, collector, { module: 'feemarket-fee-collector' })
  if (coins.length === 0) sendNothing(ctx, payer, collector)
  for (const { denom, amount } of coins) {
    try {
      send(ctx, payer, collector, BigInt(amount), denom)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      throw new ChainError(sdk.insufficientFunds, `error escrowing funds: ${error.message.slice(0, error.message.lastIndexOf(': '))}`)
    }
  }
}

function deduct(ctx: Context, tx: DecodedTx, coins: Coins): void {
  const payer = payerOf(ctx, tx, (why) => why)
  try {
    for (const { denom, amount } of coins)
      if (amount !== '0') send(ctx, payer, moduleAddress(ctx.genesis, 'fee_collector'), BigInt(amount), denom)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new ChainError(sdk.insufficientFunds, error.message)
  }
  emit(ctx, 'tx', { fee: textOf(coins), fee_payer: payer })
}

/** Tells who pays: the first signer, who is there. Nobody has granted a fee here. Addresses are written as the bytes they are, as the SDK does there. */
function payerOf(ctx: Context, tx: DecodedTx, within: (why: string) => string): string {
  const payer = tx.authInfo.fee?.payer || present(tx.signers[0], 'a signer')
  const raw = (address: string) => goText(addressBytes(address, ctx.genesis.prefix))
  const granter = tx.authInfo.fee?.granter
  if (granter)
    throw new ChainError(sdk.notFound, within(`${raw(granter)} does not allow to pay fees for ${raw(payer)}: fee-grant not found`))
  if (!ctx.state.accounts.has(payer)) throw new ChainError(sdk.unknownAddress, `fee payer address: ${raw(payer)} does not exist`)
  return payer
}

/** Bytes as text the way Go's JSON writes them: each byte that is no UTF-8 is a replacement character of its own. */
function goText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const size = [1, 2, 3, 4].find((length) => isUtf8(bytes.subarray(at, at + length)))
    text += size === undefined ? '\ufffd' : Buffer.from(bytes.subarray(at, at + size)).toString('utf8')
    at += size ?? 1
  }
  return text
}

/** A simulation's missing signature counts as if it were there. */
function sizeWithSignatures(tx: DecodedTx, mode: AnteMode): number {
  return mode === 'simulate' ? tx.size + tx.signatures.reduce((sum, signature) => sum + 64 - Math.min(64, signature.length), 0) : tx.size
}
