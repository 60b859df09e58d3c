/** A wallet whose key everybody knows. */
export interface EvmWallet {
  readonly address: string
  readonly privateKey: string
}

/**
 * Public test keys: the first five accounts of the mnemonic "test test test test test test test test test test test junk"
 * (path m/44'/60'/0'/0/n), printed by anvil and Hardhat at every start. Never send anything of value to them: on public
 * networks it is gone within seconds.
 *
 * @see anvil 1.7.1 prints mnemonic, path and keys at its start (read 2026-11-21); a test derives them again
 */
export const evmWallets: readonly EvmWallet[] = [
  {
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  {
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  {
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    privateKey: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  },
  {
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    privateKey: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  },
  {
    address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    privateKey: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  },
]

/**
 * Returns the address of a wallet, counted from the end: a stage leaves the first ones unchanged.
 *
 * @param place 1 for the last
 * @throws RangeError when there are fewer
 */
export function addressFromEnd(wallets: readonly EvmWallet[], place: number): string {
  const wallet = wallets.at(-place)
  if (wallet === undefined) throw new RangeError(`there are ${wallets.length} wallets, and no ${place}. from the end`)
  return wallet.address
}
