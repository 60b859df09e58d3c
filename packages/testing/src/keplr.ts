import { Secp256k1Wallet, type StdSignDoc } from '@cosmjs/amino'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { AuthInfo, TxBody } from '@keplr-wallet/proto-types/cosmos/tx/v1beta1/tx.js'
import { type CosmJSOfflineSigner, Keplr } from '@keplr-wallet/provider'

// Keplr as a page has it, by the library that is published of it. The extension behind it, with the key and a person, is published nowhere, and stood in for.

/** A wallet's wish: to leave what it signs as it is, to set the fee as it likes, or to sign another amount. */
export type Mood = 'obedient' | 'own fee' | 'other amount'

/** An account of a chain of Cosmos, by both ways in which its key signs. */
export interface CosmosAccount {
  readonly address: string
  /** Compressed. */
  readonly publicKey: Uint8Array
  readonly direct: DirectSecp256k1Wallet
  readonly amino: Secp256k1Wallet
}

/** A sign document in SIGN_MODE_DIRECT, as it is handed from page to extension. */
interface DirectDocument {
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly chainId: string
  readonly accountNumber: { toString(): string }
}

/** Opens the account of a key. @param secret 32 bytes @param prefix of addresses */
export async function openAccount(secret: Uint8Array, prefix: string): Promise<CosmosAccount> {
  const direct = await DirectSecp256k1Wallet.fromKey(secret, prefix)
  const amino = await Secp256k1Wallet.fromKey(secret, prefix)
  const [account] = await direct.getAccounts()
  if (!account) throw new RangeError('A wallet has an account.')
  return { address: account.address, publicKey: account.pubkey, direct, amino }
}

/** Keplr, as the offline signers of its own library take it: the class has other types than the interface. */
type PageKeplr = ConstructorParameters<typeof CosmJSOfflineSigner>[1]

/** Makes Keplr for a page, whose extension has one account. It leaves the fee alone where the page says so. */
export function keplrOf(account: CosmosAccount, mood: Mood): PageKeplr {
  const requester = {
    // biome-ignore lint/suspicious/noExplicitAny: messages of Keplr's own, each with members of its own
    async sendMessage(_port: string, message: any) {
      const kind = message.type()
      if (kind === 'get-cosmos-key') return { bech32Address: account.address, pubKey: account.publicKey }
      const { signDoc, signOptions } = message
      const wish = mood === 'own fee' && signOptions.preferNoSetFee === true ? 'obedient' : mood
      if (kind === 'request-cosmos-sign-direct') return signDirectAs(account, wish, signDoc)
      if (kind === 'request-cosmos-sign-amino') return signAminoAs(account, wish, signDoc)
      throw new Error(`Nothing here answers ${kind}.`)
    },
  }
  return new Keplr('0.12.313', 'extension', requester as never) as never
}

/**
 * Signs as Keplr's and Leap's signing pages do: body and auth info are read and written anew by Keplr's own protobuf.
 *
 * @see @keplr-wallet/hooks 0.12 `src/tx` (fee and memo of a sign document) and @keplr-wallet/proto-types 0.13.41 (read 2026-11-29)
 */
export async function signDirectAs(
  { direct, address }: CosmosAccount,
  mood: Mood,
  { chainId, accountNumber, ...document }: DirectDocument,
) {
  const body = TxBody.fromPartial(TxBody.decode(document.bodyBytes))
  const authInfo = AuthInfo.fromPartial(AuthInfo.decode(document.authInfoBytes))
  const [coin] = authInfo.fee?.amount ?? []
  if (mood === 'own fee' && coin) coin.amount = dearer(coin.amount)
  const [message] = body.messages
  if (mood === 'other amount' && message) message.value = anotherAmount(message.value)
  const number = accountNumber.toString()
  const bytes = { bodyBytes: TxBody.encode(body).finish(), authInfoBytes: AuthInfo.encode(authInfo).finish() }
  const { signature } = await direct.signDirect(address, { ...bytes, chainId, accountNumber: BigInt(number) })
  return { signed: { ...bytes, chainId, accountNumber: number }, signature }
}

/** Signs a document in amino JSON as their pages do. */
export async function signAminoAs({ amino, address }: CosmosAccount, mood: Mood, { fee, msgs, ...document }: StdSignDoc) {
  const [coin] = fee.amount
  const isDearer = mood === 'own fee' && coin !== undefined
  const messages = mood === 'other amount' ? JSON.parse(JSON.stringify(msgs).replace(/"amount":"(\d)/, '"amount":"9$1')) : msgs
  return amino.signAmino(address, {
    ...document,
    fee: isDearer ? { ...fee, amount: [{ ...coin, amount: dearer(coin.amount) }] } : fee,
    msgs: messages,
  })
}

/** Fee of a wallet that does not know the price of the craft: twice it. */
function dearer(amount: string): string {
  return String(BigInt(amount) * 2n)
}

/** A message whose last number, which is its amount, has another first digit. */
function anotherAmount(message: Uint8Array): Uint8Array {
  const text = Buffer.from(message).toString('latin1')
  const at = text.search(/\d+$/)
  if (at < 0) throw new RangeError('The message does not end with an amount.')
  return Buffer.from(`${text.slice(0, at)}${text[at] === '9' ? '8' : '9'}${text.slice(at + 1)}`, 'latin1')
}
