import { Bip39, EnglishMnemonic, Secp256k1, Slip10, Slip10Curve, stringToPath } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { accountBytes, toAddress } from './address.ts'

/** A wallet whose words everybody knows. */
export interface CosmosWallet {
  readonly mnemonic: string
  /** 32 bytes in hex, from the mnemonic by m/44'/118'/0'/0/0. */
  readonly privateKey: string
  /** Compressed, in hex. */
  readonly publicKey: string
  /** Its addresses by chain, as in `cosmos:cosmoshub-4`. */
  readonly addresses: Readonly<Record<string, string>>
}

/**
 * Public mnemonics: the one of anvil and Hardhat, the first of BIP-39's test vectors, and one of CosmJS's test data. Never send
 * anything of value to them: on public networks it is gone within seconds.
 *
 * @see https://github.com/trezor/python-mnemonic/blob/master/vectors.json, CosmJS scripts/simapp (read 2026-11-21)
 */
export const publicMnemonics: readonly string[] = [
  'test test test test test test test test test test test junk',
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  'economy stock theory fatal elder harbor betray wasp final emotion task crumble siren bottom lizard educate guess current outdoor pair theory focus wife stone',
]

/** The first account of the Cosmos Hub, SLIP-44 coin 118. */
export const cosmosPath = "m/44'/118'/0'/0/0"

/**
 * The wallets of the public mnemonics.
 *
 * @param chains id and address prefix of each chain on which their addresses are wanted
 */
export async function cosmosWallets(chains: readonly { readonly id: string; readonly prefix: string }[]): Promise<CosmosWallet[]> {
  return Promise.all(publicMnemonics.map((mnemonic) => deriveWallet(mnemonic, chains)))
}

async function deriveWallet(mnemonic: string, chains: readonly { readonly id: string; readonly prefix: string }[]): Promise<CosmosWallet> {
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
  const { privkey } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath(cosmosPath))
  const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(privkey).pubkey)
  const addresses = chains.map(({ id, prefix }) => [id, toAddress(prefix, accountBytes(publicKey))] as const)
  return { mnemonic, privateKey: toHex(privkey), publicKey: toHex(publicKey), addresses: Object.fromEntries(addresses) }
}
