/** Answers to crafts of public keys, and the trust document of who answered. */

export const trust = {
  version: 1,
  baseUrl: 'https://staking.example',
  account: 'acme',
  keys: [],
  protocols: [
    {
      path: '/evm-three/native',
      networks: [
        {
          default: true,
          terms: {
            chainId: '143',
            caip2: 'eip155:143',
            decimals: 18,
            symbol: 'MON',
            max_fee: '0.05',
            staking: '0x0000000000000000000000000000000000001000',
            validator_id: 12,
          },
        },
      ],
    },
    {
      path: '/hub-one/native',
      networks: [
        {
          default: true,
          terms: {
            chainId: 'cosmoshub-4',
            caip2: 'cosmos:cosmoshub-4',
            decimals: 6,
            symbol: 'ATOM',
            max_fee: '0.01',
            validator: 'cosmosvaloper1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zt5x3kt',
          },
        },
      ],
    },
  ],
}

export const evm = {
  request: '{ "address": "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A", "amount": 100.0 }',
  craft: {
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
  sentence:
    'Delegate 100 MON to validator 12 through 0x0000000000000000000000000000000000001000 on eip155:143; fee at most 0.0316464588 MON; valid while the nonce of the account is 0.',
}

const authInfo =
  '0a500a460a1f2f636f736d6f732e63727970746f2e736563703235366b312e5075624b657912230a21034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff12040a020801180712130a0d0a057561746f6d12043135303010e0a712'

export const hub = {
  request: { pubkey: '034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff', amount: 1.5 },
  headers: { 'X-Account-Number': '12345' },
  craft: {
    unsigned_tx_hex: `0aa1010a9e010a232f636f736d6f732e7374616b696e672e763162657461312e4d736744656c656761746512770a2d636f736d6f73316d6e796e37783234786a3676726178656571353664666b7861303039747668676b6e686d30341234636f736d6f7376616c6f706572317967337a7967337a7967337a7967337a7967337a7967337a7967337a7967337a743578336b741a100a057561746f6d1207313530303030301267${authInfo}`,
    tx_auth_info_hex: authInfo,
    unsigned_tx_hash_hex: '6959552a75541c2c4521357ad80c688c69a77087414e134debb66c054bc72c08',
  },
}
