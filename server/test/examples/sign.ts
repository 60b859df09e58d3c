import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { base58 } from '@scure/base'
import { Keypair, NonceAccount, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { cosmosKeys } from '@svc/sandbox-cosmos'
import { evmWallets } from '@svc/sandbox-evm'
import { moveWallets } from '@svc/sandbox-move'
import { svmWallets } from '@svc/sandbox-svm'
import { SigningKey } from 'ethers'

type Members = Readonly<Record<string, any>>

/** Body of prepare for a craft response: what was crafted, and the signature of the public wallet that is named as its signer. */
export async function signed(family: string, signer: string, unsigned: Members): Promise<Members> {
  if (family === 'evm') {
    const { privateKey } = evmWallets.find(({ address }) => address === signer)!
    const { r, s, v } = new SigningKey(privateKey).sign(unsigned.unsigned_tx_hash_hex)
    return { serialized_tx_hex: unsigned.serialized_tx_hex, r, s, v }
  }
  if (family === 'cosmos') {
    const { privateKey } = cosmosKeys.find(({ publicKey }) => publicKey === signer)!
    const { r, s } = new SigningKey(`0x${privateKey}`).sign(`0x${unsigned.unsigned_tx_hash_hex}`)
    const { unsigned_tx_hex: tx_body_hex, tx_auth_info_hex } = unsigned
    return { tx_body_hex, tx_auth_info_hex, signature_hex: r.slice(2) + s.slice(2) }
  }
  if (family === 'svm') {
    const transaction = Transaction.from(Buffer.from(unsigned.unsigned_tx_hex, 'hex'))
    transaction.partialSign(svmKey(signer))
    const own = transaction.signatures.find(({ publicKey }) => publicKey.toBase58() === signer)!
    return { unsigned_tx_hex: unsigned.unsigned_tx_hex, signatures: [own.signature!.toString('hex')] }
  }
  const { secretKey } = moveWallets.find(({ address }) => address === signer)!
  const { signature } = await Ed25519Keypair.fromSecretKey(secretKey).signTransaction(Buffer.from(unsigned.unsigned_tx_b64, 'base64'))
  return { unsigned_tx_b64: unsigned.unsigned_tx_b64, signatures: [signature] }
}

/** The same transaction with a durable nonce in place of its block hash, as a wallet may ask for: its bytes are good for longer than a minute. */
export async function withNonce(unsigned: Members, signer: string, account: string, rpcUrl: string): Promise<Members> {
  const crafted = Transaction.from(Buffer.from(unsigned.unsigned_tx_hex, 'hex'))
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [account, { encoding: 'base64' }] }),
  })
  const { result } = (await response.json()) as { result: { value: { data: [string] } } }
  const authorizedPubkey = new PublicKey(signer)
  const transaction = new Transaction({
    feePayer: authorizedPubkey,
    recentBlockhash: NonceAccount.fromAccountData(Buffer.from(result.value.data[0], 'base64')).nonce,
  })
  transaction.add(SystemProgram.nonceAdvance({ noncePubkey: new PublicKey(account), authorizedPubkey }), ...crafted.instructions)
  return { unsigned_tx_hex: transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('hex') }
}

function svmKey(address: string): Keypair {
  return Keypair.fromSecretKey(base58.decode(svmWallets.find((wallet) => wallet.address === address)!.secretKey))
}
