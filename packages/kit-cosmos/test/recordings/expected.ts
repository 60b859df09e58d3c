import { OF_TRANSACTIONS, type Outcomes } from './expected-transactions.ts'

/** What each reader makes of each recording. Reviewed by hand. */
export const EXPECTED: Readonly<Record<string, Outcomes>> = {
  ...OF_TRANSACTIONS,
  readAccount: {
    'query-account-bad': '! UPSTREAM_ERROR',
    'query-account-empty': '! UPSTREAM_ERROR',
    'query-account-fresh': { hub: '{"number":"19","sequence":"0"}', celestia: '{"number":"39","sequence":"0"}' },
    'query-account-module': { hub: '{"number":"10","sequence":"0"}', celestia: '{"number":"9","sequence":"0"}' },
    'query-account-unknown': '! ACCOUNT_UNKNOWN',
    'query-account-while-one-waits': { hub: '{"number":"18","sequence":"0"}', celestia: '{"number":"38","sequence":"4"}' },
    'query-account': { hub: '{"number":"17","sequence":"5"}', celestia: '{"number":"37","sequence":"5"}' },
  },
  readSequence: {
    'query-account-bad': '! UPSTREAM_ERROR',
    'query-account-empty': '! UPSTREAM_ERROR',
    'query-account-fresh': { hub: '{"sequence":"0","height":"894"}', celestia: '{"sequence":"0","height":"159"}' },
    'query-account-module': { hub: '{"sequence":"0","height":"894"}', celestia: '{"sequence":"0","height":"159"}' },
    'query-account-unknown': '{"sequence":"0","height":"0"}',
    'query-account-while-one-waits': { hub: '{"sequence":"0","height":"1105"}', celestia: '{"sequence":"4","height":"255"}' },
    'query-account': { hub: '{"sequence":"5","height":"894"}', celestia: '{"sequence":"5","height":"159"}' },
  },
  readBalance: {
    'query-balance-bad-address': '! UPSTREAM_ERROR',
    'query-balance-bad-denom': '! UPSTREAM_ERROR',
    'query-balance-none': '0',
    'query-balance-other-denom': '0',
    'query-balance': { hub: '4906492473', celestia: '4906495897' },
    'query-empty-request': '! UPSTREAM_ERROR',
    'query-garbage-request': '! UPSTREAM_ERROR',
  },
  readSpendable: {
    'query-spendable-none': '0',
    'query-spendable': { hub: '4906492473', celestia: '4906495897' },
  },
  readValidator: {
    'query-validator-bad': '! UPSTREAM_ERROR',
    'query-validator-empty': '! UPSTREAM_ERROR',
    'query-validator-unknown': '! VALIDATOR_UNKNOWN',
    'query-validator': {
      hub: '{"tokens":"20000185000000","shares":"20000185000000000000000000000000","jailed":false,"bonded":true,"commission":"100000000000000000","consensusKey":"32 bytes"}',
      celestia:
        '{"tokens":"20005271045507","shares":"20005271045507000000000000000000","jailed":false,"bonded":true,"commission":"200000000000000000","consensusKey":"32 bytes"}',
    },
  },
  readDelegation: {
    'query-delegation-none': '{"worth":"0","shares":"0"}',
    'query-delegation-unknown-validator': '{"worth":"0","shares":"0"}',
    'query-delegation': '{"worth":"93500000","shares":"93500000000000000000000000"}',
  },
  readUnbondings: {
    'query-unbonding-none': '[]',
    'query-unbonding-one': {
      hub: '[{"id":"3","balance":"10000000","initial":"10000000","completesAt":"2026-11-23T09:43:08.946Z"}]',
      celestia: '[{"id":"67","balance":"10000000","initial":"10000000","completesAt":"2026-11-23T09:49:10.213Z"}]',
    },
    'query-unbonding': '[]',
  },
  readBegunUnbondings: {
    'query-delegator-unbondings-none': '[]',
    'query-delegator-unbondings-one': {
      hub: '[{"validator":"cosmosvaloper1864te3kssmm7003y2nsf74npt356u5ehc8g9hz","id":"3"}]',
      celestia: '[{"validator":"celestiavaloper15uelzlk4w98w5vhfy79l0c0rk8da870u3x6rcn","id":"67"}]',
    },
  },
  readClaimable: {
    'query-total-rewards-none': '{"rewards":"0","others":[]}',
    'query-total-rewards': { hub: '{"rewards":"179","others":[]}', celestia: '{"rewards":"20","others":[]}' },
  },
  readStakingParams: {
    'query-height-negative': '! UPSTREAM_ERROR',
    'query-height-old': {
      hub: '{"seconds":"120","maxEntries":7,"bondDenom":"uatom"}',
      celestia: '{"seconds":"120","maxEntries":7,"bondDenom":"utia"}',
    },
    'query-height-one': {
      hub: '{"seconds":"120","maxEntries":7,"bondDenom":"uatom"}',
      celestia: '{"seconds":"120","maxEntries":7,"bondDenom":"utia"}',
    },
    'query-height-previous': {
      hub: '{"seconds":"120","maxEntries":7,"bondDenom":"uatom"}',
      celestia: '{"seconds":"120","maxEntries":7,"bondDenom":"utia"}',
    },
    'query-height-too-high': '! UPSTREAM_ERROR',
    'query-no-path': '! UPSTREAM_ERROR',
    'query-prove-head': {
      hub: '{"seconds":"120","maxEntries":7,"bondDenom":"uatom"}',
      celestia: '{"seconds":"120","maxEntries":7,"bondDenom":"utia"}',
    },
    'query-prove': {
      hub: '{"seconds":"120","maxEntries":7,"bondDenom":"uatom"}',
      celestia: '{"seconds":"120","maxEntries":7,"bondDenom":"utia"}',
    },
    'query-staking-params': {
      hub: '{"seconds":"120","maxEntries":7,"bondDenom":"uatom"}',
      celestia: '{"seconds":"120","maxEntries":7,"bondDenom":"utia"}',
    },
    'query-store-key': '! UPSTREAM_ERROR',
    'query-unknown-path': '! UPSTREAM_ERROR',
    'query-unknown-service': '! UPSTREAM_ERROR',
  },
  countDelegators: {
    'query-validator-delegations-count': { hub: '{"users":3,"unfinished":false}', celestia: '{"users":12,"unfinished":false}' },
  },
  gasPriceOf: {
    'query-gas-price': { hub: '6000000000000000', celestia: '4400000000000000' },
  },
  readBlock: {
    'blockchain-ahead': '! UPSTREAM_BEHIND',
    'blockchain-negative': '! UPSTREAM_ERROR',
    'blockchain-one': {
      hub: '{"height":"3","hash":"4143E20973601D3FBB8708F9761B29C91C70F180EF6E446A394935BE86A2DA64","time":"2026-11-23T09:16:58.831Z"}',
      celestia:
        '{"height":"3","hash":"1BE3F4F75F33B64B5633DB6BCE91EF56630FD1BE6BE68B2EBCA036BA6DC0F3DE","time":"2026-11-23T09:20:57.218Z"}',
    },
    'blockchain-reversed': '! UPSTREAM_BEHIND',
    'blockchain-wide': '! UPSTREAM_ERROR',
    'blockchain-with-transactions': {
      hub: '{"height":"1106","hash":"20817EBA032E646C42929466327EEB799CB0A49596C84E83CF75B74139C2319B","time":"2026-11-23T09:41:03.630Z"}',
      celestia:
        '{"height":"257","hash":"0E7341971F62D3C44D2AE70E9E4CDF8E276A7D0B0FBED585B7A91DA7060371A7","time":"2026-11-23T09:46:34.485Z"}',
    },
  },
  scanBlocks: {
    'block-height-empty': '! UPSTREAM_ERROR',
    'block-height-negative': '! UPSTREAM_ERROR',
    'block-height-next': '! UPSTREAM_BEHIND',
    'block-height-null': '{"found":null,"rivals":[]}',
    'block-height-number': '! UPSTREAM_ERROR',
    'block-height-one': '{"found":null,"rivals":[]}',
    'block-height-text': '! UPSTREAM_ERROR',
    'block-height-too-high': '! UPSTREAM_BEHIND',
    'block-height-zero': '! UPSTREAM_ERROR',
    'block-latest': '{"found":null,"rivals":[]}',
    'block-with-transactions': {
      hub: '{"found":null,"rivals":[{"hash":"36353F42008BAB0DB6AEFBBC75D176547EEBC5C0455302A1A3BB0DFCFD3A082E","passed":null}]}',
      celestia: '{"found":null,"rivals":[{"hash":"AE9D8F177A222BDAC878D391163C9BE3765BD41D395B924B54C4F99384C3AE12","passed":null}]}',
    },
  },
  readBlockResult: {
    'block-results-head': { hub: '! UPSTREAM_ERROR', celestia: 'null' },
    'block-results-height-empty': '! UPSTREAM_ERROR',
    'block-results-height-negative': '! UPSTREAM_ERROR',
    'block-results-height-next': '! UPSTREAM_BEHIND',
    'block-results-height-null': { hub: '! UPSTREAM_ERROR', celestia: 'null' },
    'block-results-height-number': '! UPSTREAM_ERROR',
    'block-results-height-one': { hub: '! UPSTREAM_ERROR', celestia: 'null' },
    'block-results-height-text': '! UPSTREAM_ERROR',
    'block-results-height-too-high': '! UPSTREAM_BEHIND',
    'block-results-height-zero': '! UPSTREAM_ERROR',
    'block-results-latest': { hub: '! UPSTREAM_ERROR', celestia: 'null' },
    'block-results-with-transactions': {
      hub: '{"code":0,"codespace":"","events":16}',
      celestia: '{"code":0,"codespace":"","events":12}',
    },
  },
  findUses: {
    'tx-search-bad-order': '[]',
    'tx-search-bad': '[]',
    'tx-search-empty': '[]',
    'tx-search-failed-found': '[5]',
    'tx-search-found': '[0]',
    'tx-search-hash': '[0]',
    'tx-search-none': '[]',
    'tx-search-page-beyond': '[]',
    'tx-search-sender': '[0,0]',
  },
  isPooled: {
    'num-unconfirmed-txs': 'false',
    'unconfirmed-txs-one': { hub: 'true', celestia: 'false' },
    'unconfirmed-txs': 'false',
  },
  readReach: {
    'rpc-get-status': {
      hub: '{"head":"894","headTime":"2026-11-23T09:36:25.805Z","lowest":"1","lowestTime":"2026-11-23T09:16:18.715Z"}',
      celestia: '{"head":"159","headTime":"2026-11-23T09:36:38.278Z","lowest":"1","lowestTime":"2026-11-23T09:20:34.610Z"}',
    },
    'rpc-status': {
      hub: '{"head":"894","headTime":"2026-11-23T09:36:25.805Z","lowest":"1","lowestTime":"2026-11-23T09:16:18.715Z"}',
      celestia: '{"head":"159","headTime":"2026-11-23T09:36:38.278Z","lowest":"1","lowestTime":"2026-11-23T09:20:34.610Z"}',
    },
  },
  envelope: {
    'rpc-bad-json': '! UPSTREAM_ERROR',
    'rpc-batch-eleven': '! UPSTREAM_ERROR',
    'rpc-batch-one-and-garbage': '! UPSTREAM_ERROR',
    'rpc-bool-id': '! UPSTREAM_ERROR',
    'rpc-empty-batch': '! UPSTREAM_ERROR',
    'rpc-empty-body': '! UPSTREAM_ERROR',
    'rpc-health': '0',
    'rpc-no-id': '! UPSTREAM_ERROR',
    'rpc-no-params': '! UPSTREAM_ERROR',
    'rpc-other-path': '! UPSTREAM_ERROR',
    'rpc-too-large': '! UPSTREAM_ERROR',
    'rpc-unknown-method': '! UPSTREAM_ERROR',
  },
}
