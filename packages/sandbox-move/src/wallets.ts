/** A wallet whose key everybody knows. */
export interface MoveWallet {
  /** `0x` and 64 hex digits. */
  readonly address: string
  /** Ed25519, Bech32 with the prefix `suiprivkey`, as wallets and the CLI write it. */
  readonly secretKey: string
}

/**
 * Public test keys: the first five Ed25519 accounts of the mnemonic "test test test test test test test test test test test junk"
 * (path m/44'/784'/n'/0'/0'). Never send anything of value to them: on public networks it is gone within seconds.
 *
 * @see https://docs.sui.io/concepts/cryptography/transaction-auth/keys-addresses (read 2026-11-21); a test derives them again
 */
export const moveWallets: readonly MoveWallet[] = [
  {
    address: '0xc88ef07b9b8b2fc3b7daad9478f4e1337f01792e2eab9c3794494e610636026e',
    secretKey: 'suiprivkey1qrna7zx5a9xfr0ljh6uwc2nnwu3up6uhl9nr2y5cfufhyzjuqr8mkqymtvk',
  },
  {
    address: '0x31e57c79ce7793434b5f607d19832d74821bbeca30596b99eb27050c36b543a7',
    secretKey: 'suiprivkey1qzgyvl08hhzqw5gu6gn87tn9cv7svces6t3e980eudvys92utmcwzd9htvv',
  },
  {
    address: '0x7d6c4056c17e8415feb89311d8a512aa8401942fc4aa5c86a0c77e37701f22db',
    secretKey: 'suiprivkey1qp5er54gj0892rvhd6ydydh6ez9d8xq9enjkgx0xtecffz87979jxplkquy',
  },
  {
    address: '0x0b04a30158a022c1159efde4ffae99d12505e1653ef98e3a14799ed5c92d0d02',
    secretKey: 'suiprivkey1qrufcqvrq8a8rr0tn6tuwkh4zuvlwr8p4l3yg97mwfxa5vgg6fx7qu5tjfp',
  },
  {
    address: '0x39bcd38753b817f58463f3a5c0ca153145bef9c6676bd021adf85da369483854',
    secretKey: 'suiprivkey1qrze5w958d7fm9jut2zamlacslwekath4va7jfm8u3cmj8v9x7g46neqky8',
  },
]
