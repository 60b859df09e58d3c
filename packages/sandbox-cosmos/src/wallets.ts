import type { GenesisKeys } from './genesis.ts'

/** The keys of words that everybody knows. */
export interface CosmosKeys {
  readonly mnemonic: string
  /** 32 bytes in hex, from the mnemonic by m/44'/118'/0'/0/0. */
  readonly privateKey: string
  /** Compressed, in hex. */
  readonly publicKey: string
}

/** A wallet whose words everybody knows. */
export interface CosmosWallet extends CosmosKeys {
  /** Its addresses by chain, as in `cosmos:cosmoshub-4`. */
  readonly addresses: Readonly<Record<string, string>>
}

/**
 * Public test keys: the first account of the mnemonic of anvil and Hardhat, of the first of BIP-39's test vectors, and of one of CosmJS's test
 * data. Never send anything of value to them: on public networks it is gone within seconds.
 *
 * @see https://github.com/trezor/python-mnemonic/blob/master/vectors.json, CosmJS scripts/simapp (read 2026-11-21); a test derives them again
 */
export const cosmosKeys: readonly CosmosKeys[] = [
  {
    mnemonic: 'test test test test test test test test test test test junk',
    privateKey: 'e64e7928d4f6c06f01fefd31f760c51f59a16426e792761cd00529b76501c8a0',
    publicKey: '0223aa679d6d5344e201e0df9f02ab15a84726eee0dfb4e953c46a9e2cb52349dc',
  },
  {
    mnemonic: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    privateKey: 'c4a48e2fce1481cd3294b4490f6678090ea98d3d0e5cd984558ab0968741b104',
    publicKey: '024f4e2ad99c34d60b9ba6283c9431a8418af8673212961f97a77b6377fcd05b62',
  },
  {
    mnemonic:
      'economy stock theory fatal elder harbor betray wasp final emotion task crumble siren bottom lizard educate guess current outdoor pair theory focus wife stone',
    privateKey: 'e16ee698b4a4ee03566d7dd9bb6f0e8a2dda802527ba56205f5767c0049fa0b9',
    publicKey: '034f04181eeba35391b858633a765c4a0c189697b40d216354d50890d350c70290',
  },
]

/** Makes the wallets of the public keys. @param chains id, address prefix and kind of key of each chain on which their addresses are wanted */
export async function cosmosWallets(
  chains: readonly { readonly id: string; readonly prefix: string; readonly keys: GenesisKeys }[],
): Promise<CosmosWallet[]> {
  const { accountBytes, toAddress } = await import('./address.ts')
  return cosmosKeys.map((keys) => {
    const key = Buffer.from(keys.publicKey, 'hex')
    const addressOn = (chain: (typeof chains)[number]) => toAddress(chain.prefix, accountBytes(chain.keys, key))
    return { ...keys, addresses: Object.fromEntries(chains.map((chain) => [chain.id, addressOn(chain)])) }
  })
}
