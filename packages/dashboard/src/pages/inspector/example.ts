/** The answer to a craft request of native staking on Monad, as packages/verify/README.md has it. */
export const EXAMPLE = JSON.stringify(
  {
    serialized_tx_hex:
      '0xf85380851a1fa4220083044dc694000000000000000000000000000000000000100089056bc75e2d63100000a484994fec000000000000000000000000000000000000000000000000000000000000000c818f8080',
    unsigned_tx_hash_hex: '0x8b4280caf61f3f490624bbe351613c193a369a5e06c1e651bbccd5fa72e296be',
    payload: {
      type: '0x0',
      nonce: '0x0',
      gasLimit: '0x44dc6',
      to: '0x0000000000000000000000000000000000001000',
      value: '0x56bc75e2d63100000',
      data: '0x84994fec000000000000000000000000000000000000000000000000000000000000000c',
      gasPrice: '0x1a1fa42200',
      chainId: '0x8f',
    },
  },
  null,
  2,
)
