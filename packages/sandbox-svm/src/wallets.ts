/** A wallet for development. Its key is public: never send anything of value to it. */
export interface SvmWallet {
  readonly address: string
  /** Base58 of 64 bytes, seed and public key, as wallets import it. */
  readonly secretKey: string
}

/** Public test keys: their seeds are the SHA-256 of `svc sandbox wallet 1` to `5`. */
export const svmWallets: readonly SvmWallet[] = [
  {
    address: 'F8x8CNs5TicJNwLKr6ehoi5sMA9jt7PmQXF9urQk1gGM',
    secretKey: '5sb48TwP2GXbGLPCWXPudRGERkZMVJMrBNuXcmyYX36tNeK1gCiGRq9op1yHWHE1oV6GbzQDt7sYm1F5CGYMWaAq',
  },
  {
    address: '5p4JKBBvX8NZtBrCbQVEezturbP8znCvWTf52KguWPcp',
    secretKey: '4ijQBGWHsCE9i9j2SQk8Pj1LvXVT5mVemqUWxehjY8JiEY3H4VLz8QepN6MHtRhFKmvLquDNs58ZeCV5nDtHb8Mi',
  },
  {
    address: 'H2d2P1J7f1xeeX7pS8JxaEU44EG3X2H1cR2CpjAwuxmi',
    secretKey: 'miPNcBfC3dwAL3AENAFQaQmRz6XhLyn22RrjPFturXgXXSKoqBieEqcKGw6ZcEGQtd44VnmnbKYHKBt69Dg4vMS',
  },
  {
    address: 'DNm3sUNvkJQMu58guGWhwWyUywRbw6sg2VznaPKJPfrK',
    secretKey: '5Tai41JRCoBitwgjSagbBoFpWfyzaVCpXM6x5F2Qg6cvj16vAsXXY79hDZiFpVTzGchnwXUhHjY2j9UptAq9udbZ',
  },
  {
    address: '3v5dYP3A3kBDa7SNTXpwrQTC9AZ4S8QEestU3FMBYZuy',
    secretKey: '2BQMnDC4BD24VvUt1SHQTf24rL8NXQfiADtDbkdQM5xyqNRojPVzCUmvpAoWPA1SP6ep9TcSF2SHfwmdDCsgDE95',
  },
]
