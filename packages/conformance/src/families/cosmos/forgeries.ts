import type { CosmosCraft } from '@svc/verify/cosmos'
import type { Forgery, Theft } from '../../family.ts'
import { present } from '../../present.ts'
import { bytesAt, edit, type Field, numberAt, readFields, textBytes, valueAt, writeFields } from '../shared/protobuf.ts'
import { contentChanges } from './contents.ts'
import { formats } from './formats.ts'
import { addressOf, bech32, bytesOf, hexOf, type Keys, type Parts, putTogether, rawOf, takeApart } from './wire.ts'

/** Facts that the driver knows of the chain that it forges for. */
export type ChainFacts = Keys & {
  readonly chainId: string
  readonly prefix: string
  readonly denom: string
  /** Decimal places of the token. @default 6 */
  readonly decimals?: number
}

// Numbers of fields on the way in: TxBody.messages, Any.value and Any.type_url, the members of a staking message, Coin; AuthInfo and its parts.
const MESSAGE = [1]
const INSIDE = [1, 2]
const TYPE = 1
const DELEGATOR = 1
const VALIDATOR = 2
const COIN = [1, 2, 3]
const DENOM = 1
const AMOUNT = 2
const SIGNER = [1]
const KEY = [1, 1, 2]
const MODE = [1, 2, 1]
const SEQUENCE = 3
const FEE = [2]
const FEE_COIN = [2, 1]
const GAS = 2
const PAYER = 3
const GRANTER = 4

const DELEGATE = '/cosmos.staking.v1beta1.MsgDelegate'
const UNDELEGATE = '/cosmos.staking.v1beta1.MsgUndelegate'
const CLAIM = '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward'

const SEND = '/cosmos.bank.v1beta1.MsgSend'
/** Types whose first field is the wallet, the second whom it trusts: cosmos-sdk, authz/v1beta1/tx.proto and distribution/v1beta1/tx.proto (read 2026-11-22). */
const GRANT = '/cosmos.authz.v1beta1.MsgGrant'
const WITHDRAW_ADDRESS = '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress'

/** Somebody else's key, and somebody else's validator: 20 bytes of 0x66. */
const THIEF_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const THIEF_BYTES = new Uint8Array(20).fill(0x66)

/** Makes each change of a single field of the bytes: once with the hash and the auth info beside it unchanged, once with the auth info changed too. */
export function fieldForgeries(craft: CosmosCraft, chain: ChainFacts): readonly Forgery<CosmosCraft>[] {
  const parts = takeApart(craft, chain)
  return [...changes(parts, chain), ...bindings(parts)]
    .flatMap(({ name, to }) => [
      { name: `${name}, in the transaction only`, unsigned: { ...craft, unsigned_tx_hex: hexOf(rawOf(to)) } },
      { name: `${name}, in the auth info next to it only`, unsigned: { ...craft, tx_auth_info_hex: hexOf(to.authInfo) } },
      { name: `${name}, in both and not in the hash`, unsigned: { ...putTogether(to), unsigned_tx_hash_hex: craft.unsigned_tx_hash_hex } },
      { name: `${name}, in the hash only`, unsigned: { ...craft, unsigned_tx_hash_hex: putTogether(to).unsigned_tx_hash_hex } },
    ])
    .filter(({ unsigned }) => JSON.stringify(unsigned) !== JSON.stringify(craft))
}

/** Makes changed transactions whose bytes and hash agree. */
export function forgeries(craft: CosmosCraft, chain: ChainFacts): readonly Forgery<CosmosCraft>[] {
  const parts = takeApart(craft, chain)
  const coherent = [...changes(parts, chain), ...bindings(parts)].map(({ to, ...rest }) => ({ ...rest, unsigned: putTogether(to) }))
  return [...coherent, ...formats(craft, parts)]
}

interface Change extends Omit<Forgery, 'unsigned'> {
  readonly to: Parts
}

function changes(parts: Parts, chain: ChainFacts): Change[] {
  return [...messageChanges(parts, chain), ...bodyChanges(parts, chain), ...authorizationChanges(parts, chain)]
}

/** Lists the changes of any message, whatever its type: its fields one by one, and the type itself. */
function anyChanges(parts: Parts): Change[] {
  const type = (name: string, to: string, at: string, theft?: Theft): Change => ({
    name,
    at,
    ...stealing(theft),
    to: { ...parts, body: edit(parts.body, MESSAGE, (fields) => put(fields, { number: TYPE, value: textBytes(to) })) },
  })
  const own = text(valueAt(parts.body, [...MESSAGE, TYPE]))
  return [
    ...contentChanges(parts.body).map(({ name, body }) => ({ name, to: { ...parts, body } })),
    type('a message of an unknown type', SEND, 'calls[0].target', 'call'),
    type('a message of the next version', `${own}V2`, 'calls[0].target'),
    type('a message whose type has no slash', own.slice(1), 'calls[0].target'),
  ]
}

function messageChanges(parts: Parts, chain: ChainFacts): Change[] {
  const { prefix, denom } = chain
  const body = (name: string, path: readonly number[], number: number, value: string, at: string, theft?: Theft): Change => ({
    name,
    at,
    ...stealing(theft),
    to: { ...parts, body: edit(parts.body, path, (fields) => put(fields, { number, value: textBytes(value) })) },
  })
  const type = text(valueAt(parts.body, [...MESSAGE, TYPE]))
  // Of other messages it is not known what their fields are called, and of some what they mean.
  if (![DELEGATE, UNDELEGATE, CLAIM].includes(type)) return [...anyChanges(parts), ...meaningChanges(parts, prefix)]
  const coin = valueAt(parts.body, COIN)
  const thief = addressOf(chain, THIEF_KEY)
  const others = [DELEGATE, UNDELEGATE].filter((each) => coin && each !== type)
  const common = [
    ...anyChanges(parts),
    body('another validator', INSIDE, VALIDATOR, bech32(`${prefix}valoper`, THIEF_BYTES), 'calls[0].args.validator', 'validator'),
    body('a validator that is an account', INSIDE, VALIDATOR, thief, 'bytes'),
    body('a validator of another chain', INSIDE, VALIDATOR, bech32('otherchainvaloper', THIEF_BYTES), 'bytes'),
    body("somebody else's delegation", INSIDE, DELEGATOR, thief, 'bytes', 'customer'),
    ...others.map((other) => body(`${other} instead`, MESSAGE, TYPE, other, 'calls[0].target', 'call')),
  ]
  if (!coin) return common
  const amount = BigInt(text(valueAt(parts.body, [...COIN, AMOUNT])))
  const amounts = { '+ 1': amount + 1n, '- 1': amount - 1n, tenfold: amount * 10n, 'is a token': 1_000_000n }
  return [
    ...common,
    ...Object.entries(amounts).flatMap(([what, value]) =>
      value > 0n && value !== amount
        ? [body(`amount ${what}`, COIN, AMOUNT, String(value), 'calls[0].args.amount', what === 'tenfold' ? 'amount' : undefined)]
        : [],
    ),
    body('amount with a leading zero', COIN, AMOUNT, `0${amount}`, 'bytes'),
    body('amount with a sign', COIN, AMOUNT, `+${amount}`, 'bytes'),
    body('amount below zero', COIN, AMOUNT, `-${amount}`, 'bytes'),
    body('another denom', COIN, DENOM, `${denom}x`, 'calls[0].args.denom'),
  ]
}

/** The validators and amounts of a message of any type, known by what they look like. */
function meaningChanges(parts: Parts, prefix: string): Change[] {
  const change = (number: number, what: string, path: readonly number[], field: Field, theft: Theft): Change => ({
    name: `field ${number} of the message: ${what}`,
    ...stealing(theft),
    to: { ...parts, body: edit(parts.body, path, (all) => put(all, field)) },
  })
  return readFields(bytesAt(parts.body, INSIDE)).flatMap(({ number, value }) => {
    if (text(value).startsWith(`${prefix}valoper1`)) {
      const validator = textBytes(bech32(`${prefix}valoper`, THIEF_BYTES))
      return [change(number, 'another validator', INSIDE, { number, value: validator }, 'validator')]
    }
    const path = [...INSIDE, number]
    const amount = text(coinAmount(value))
    if (!/^[1-9]\d*$/.test(amount)) return []
    return [change(number, 'amount tenfold', path, { number: AMOUNT, value: textBytes(`${amount}0`) }, 'amount')]
  })
}

/** Returns the value at the place where a coin has its amount. */
function coinAmount(value: bigint | Uint8Array): bigint | Uint8Array | undefined {
  try {
    return value instanceof Uint8Array ? readFields(value).find(({ number }) => number === AMOUNT)?.value : undefined
  } catch {
    return undefined
  }
}

function bodyChanges(parts: Parts, chain: ChainFacts): Change[] {
  const { prefix, denom } = chain
  const message = present(readFields(parts.body)[0], 'a message in the body')
  const signer = signerOf(parts, chain)
  const stolen = writeFields([
    { number: 1, value: textBytes(signer) },
    { number: 2, value: textBytes(bech32(`${prefix}valoper`, THIEF_BYTES)) },
    {
      number: 3,
      value: writeFields([
        { number: 1, value: textBytes(denom) },
        { number: 2, value: textBytes('1000000') },
      ]),
    },
  ])
  const send = writeFields([
    { number: 1, value: textBytes(signer) },
    { number: 2, value: textBytes(addressOf(chain, THIEF_KEY)) },
    {
      number: 3,
      value: writeFields([
        { number: 1, value: textBytes(denom) },
        { number: 2, value: textBytes('1000000') },
      ]),
    },
  ])
  const any = (type: string, value: Uint8Array): Field => ({
    number: 1,
    value: writeFields([
      { number: 1, value: textBytes(type) },
      { number: 2, value },
    ]),
  })
  const fields = (name: string, change: (all: readonly Field[]) => readonly Field[], at: string, theft?: Theft): Change => ({
    name,
    at,
    ...stealing(theft),
    to: { ...parts, body: edit(parts.body, [], change) },
  })
  const thief = addressOf(chain, THIEF_KEY)
  /** A message whose first two fields are the wallet and the thief. */
  const behind = (name: string, type: string, theft: Theft) => {
    const parties = [signer, thief].map((each, index) => ({ number: index + 1, value: textBytes(each) }))
    return fields(name, (all) => [message, any(type, writeFields(parties)), ...all.slice(1)], 'calls[1]', theft)
  }
  return [
    fields('the message twice', (all) => [message, ...all], 'calls[1]', 'call'),
    fields('a further delegation', (all) => [message, any(DELEGATE, stolen), ...all.slice(1)], 'calls[1]', 'call'),
    fields('a delegation in front', (all) => [any(DELEGATE, stolen), ...all], 'calls', 'call'),
    fields('a transfer behind it', (all) => [message, any(SEND, send), ...all.slice(1)], 'calls[1]', 'call'),
    behind('an authorisation behind it', GRANT, 'call'),
    behind('rewards sent to somebody else from now on', WITHDRAW_ADDRESS, 'recipient'),
    fields('no message', (all) => all.slice(1), 'bytes'),
    fields('another memo', (all) => put(all, { number: 2, value: textBytes('another memo') }), 'bytes'),
    fields('a timeout', (all) => put(all, { number: 3, value: 9n }), 'bytes'),
    fields('unordered', (all) => put(all, { number: 4, value: 1n }), 'bytes'),
    fields('an extension option', (all) => [...all, { number: 1023, value: any('/a.B', new Uint8Array()).value }], 'bytes'),
    fields('an option that is not critical', (all) => [...all, { number: 2047, value: any('/a.B', new Uint8Array()).value }], 'bytes'),
  ]
}

function authorizationChanges(parts: Parts, chain: ChainFacts): Change[] {
  const { denom, decimals = 6 } = chain
  const info = (
    name: string,
    path: readonly number[],
    change: (all: readonly Field[]) => readonly Field[],
    at: string,
    theft?: Theft,
  ): Change => ({
    name,
    at,
    ...stealing(theft),
    to: { ...parts, authInfo: edit(parts.authInfo, path, change) },
  })
  const value = (number: number, next: bigint | Uint8Array) => (all: readonly Field[]) => put(all, { number, value: next })
  const fee = BigInt(text(valueAt(parts.authInfo, [...FEE_COIN, AMOUNT])))
  const gas = numberAt(parts.authInfo, [...FEE, GAS])
  const sequence = numberAt(parts.authInfo, [...SIGNER, SEQUENCE])
  const thief = textBytes(addressOf(chain, THIEF_KEY))
  const signer = present(readFields(parts.authInfo)[0], 'a signer')
  const coin = present(readFields(bytesAt(parts.authInfo, FEE))[0], 'a coin of the fee')
  const key = info("somebody else's key", KEY, value(1, bytesOf(THIEF_KEY)), 'bytes')
  const own = signerOf(parts, chain)
  const otherType = chain.algorithm === 'secp256k1' ? '/ethermint.crypto.v1.ethsecp256k1.PubKey' : '/cosmos.crypto.secp256k1.PubKey'
  const both = edit(parts.body, INSIDE, (all) => all.map((field) => (text(field.value) === own ? { ...field, value: thief } : field)))
  return [
    key,
    { name: "somebody else's key and delegation", at: 'signers', ...stealing('customer'), to: { ...key.to, body: both } },
    info('another type of key', [...SIGNER, 1], value(1, textBytes('/cosmos.crypto.ed25519.PubKey')), 'bytes'),
    // The other kind of key: the address that it gives to the same point is nobody's.
    info('the other algorithm', [...SIGNER, 1], value(1, textBytes(otherType)), 'bytes'),
    info('another sign mode', MODE, value(1, 127n), 'bytes'),
    info('a second signer', [], (all) => [signer, ...all], 'bytes'),
    info('sequence + 1', SIGNER, value(SEQUENCE, sequence + 1n), 'terms.sequence'),
    ...(sequence > 1n ? [info('sequence - 1', SIGNER, value(SEQUENCE, sequence - 1n), 'terms.sequence')] : []),
    info('gas limit + 1', FEE, value(GAS, gas + 1n), 'terms.gasLimit'),
    info('gas limit doubled', FEE, value(GAS, 2n * gas), 'terms.gasLimit'),
    info('fee + 1', FEE_COIN, value(AMOUNT, textBytes(String(fee + 1n))), 'terms.fee'),
    info('fee - 1', FEE_COIN, value(AMOUNT, textBytes(String(fee - 1n))), 'terms.fee'),
    info('fee of a thousand tokens', FEE_COIN, value(AMOUNT, textBytes(String(1_000n * 10n ** BigInt(decimals)))), 'maxFee', 'fee'),
    info('fee in another denom', FEE_COIN, value(DENOM, textBytes(`${denom}x`)), 'bytes'),
    info('two fees', FEE, (all) => [coin, ...all], 'bytes'),
    info('no fee', FEE, (all) => all.slice(1), 'terms.fee'),
    info('another payer', FEE, value(PAYER, thief), 'bytes'),
    info('a granter', FEE, value(GRANTER, thief), 'bytes'),
    info('a tip', [], (all) => [...all, { number: 3, value: coin.value }], 'bytes'),
  ]
}

/** Lists changes of what only the hash names. */
function bindings(parts: Parts): Change[] {
  const { chainId, accountNumber } = parts
  return [
    { name: 'another chain', at: 'bytes', attack: true, to: { ...parts, chainId: `${chainId}-2` } },
    { name: 'account number + 1', at: 'bytes', attack: true, to: { ...parts, accountNumber: accountNumber + 1n } },
    { name: 'account number 0', at: 'bytes', to: { ...parts, accountNumber: accountNumber === 0n ? 1n : 0n } },
  ]
}

/** Every theft is an attack. */
function stealing(theft: Theft | undefined): Pick<Forgery, 'attack' | 'theft'> {
  return theft ? { attack: true, theft } : {}
}

/** The fields with one of them put in the place of its number. */
function put(fields: readonly Field[], field: Field): readonly Field[] {
  return [...fields.filter(({ number }) => number !== field.number), field].sort((a, b) => a.number - b.number)
}

/** Address of the key in the bytes. */
function signerOf({ authInfo }: Parts, chain: ChainFacts): string {
  return addressOf(chain, hexOf(bytesAt(authInfo, [...KEY, 1])))
}

function text(value: bigint | Uint8Array | undefined): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : ''
}
