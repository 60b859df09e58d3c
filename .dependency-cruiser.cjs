// The boundaries of ARCHITECTURE.md, each with its reason. `pnpm boundaries` checks them.

/** Resolved paths of this workspace's own packages: dependency-cruiser follows the links to the real folders. */
const src = (name) => `^packages/${name}/`
const chains = '(ethers|@cosmjs|cosmjs-types|@solana|@mysten)'
const library = (name) => `node_modules/${name}/`

/**
 * Folders of the core, from the top floor to the bottom. A folder imports those below it alone; index, boot, server, operate and primary, which put the folders
 * together, are imported by none.
 */
const FLOORS = [
  ...['compose', 'state', 'overview', 'openapi', 'audit', 'ledger', 'life', 'webhooks', 'keys', 'dashboard', 'gate', 'http', 'limit'],
  ...['signature', 'credentials', 'rpc', 'prices', 'plugins', 'redis', 'watchdog', 'db', 'config', 'base'],
]
const floors = FLOORS.map((floor, at) => ({
  name: `core-floor-${floor}`,
  comment: 'An upward import makes two floors one: move what both need down, or hand the function in where the floors are put together.',
  severity: 'error',
  from: { path: `^packages/core/src/${floor}/` },
  to: { path: '^packages/core/src/', pathNot: `^packages/core/src/(${FLOORS.slice(at).join('|')})/` },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...floors,
    {
      name: 'core-floors-are-named',
      comment: 'A new folder of the core gets its place in FLOORS, or nothing says what may import it.',
      severity: 'error',
      from: {
        path: '^packages/core/src/',
        pathNot: `^packages/core/src/((${FLOORS.join('|')})/|(index|boot|server|operate|primary)\\.ts$)`,
      },
      to: {},
    },
    {
      name: 'verify-imports-nothing',
      comment:
        'verify is the second reading of a transaction and runs in callers’ processes and browsers: whatever it imported could lie for it.',
      severity: 'error',
      from: { path: '^packages/verify/src/' },
      to: { pathNot: '^packages/verify/src/' },
    },
    {
      name: 'intent-knows-verify-only',
      comment:
        'An intent says what a caller was promised, in the caller’s own process too: whatever it imported of the writer’s side, an error there would be made twice and go unseen.',
      severity: 'error',
      from: { path: '^(packages/intent-[^/]+|plugins/[^/]+/intent|examples/[^/]+/intent)/src/' },
      to: { pathNot: ['^packages/verify/src/', '^(packages/intent-[^/]+|plugins/[^/]+/intent|examples/[^/]+/intent)/src/'] },
    },
    {
      name: 'intent-of-no-other-protocol',
      comment: 'An intent is installed by itself.',
      severity: 'error',
      from: { path: '^(packages/intent-[^/]+|plugins/[^/]+/intent|examples/[^/]+/intent)/src/' },
      to: { path: '^(packages/intent-|plugins/|examples/)', pathNot: '^$1/src/' },
    },
    {
      name: 'writer-knows-no-intent',
      comment:
        'A transaction and what it is checked against meet where an action or the plugin is declared, and nowhere else: what writes it must not be able to ask what would pass.',
      severity: 'error',
      from: {
        path: '^(packages/kit-[^/]+|plugins/[^/]+|examples/[^/]+)/src/',
        pathNot: [
          '/src/(staking/)?actions\\.ts$',
          '/src/staking/protocol\\.ts$',
          '/src/actions/',
          '/src/index\\.ts$',
          '^examples/stake-',
          // The kit of a family whose reader is not in verify: only its declaration hands bytes to it.
          '^examples/family-[^/]+/src/kit/kit\\.ts$',
        ],
      },
      to: { path: '^(packages/intent-[^/]+|plugins/[^/]+/intent|examples/[^/]+/intent)/' },
    },
    {
      name: 'contract-knows-no-chain',
      comment:
        'The contract is what every family shares; a chain library in it would be paid by all, and would shape it; how requests reach a host is of the host alone. Of Node it takes a digest, a turn of the event loop and a comparison by value.',
      severity: 'error',
      from: { path: '^packages/contract/src/' },
      to: {
        pathNot: ['^packages/contract/src/', src('verify'), library('typebox'), '^(node:)?(crypto|timers/promises|util)$'],
      },
    },
    {
      name: 'core-knows-no-family',
      comment: 'The core serves families that do not exist yet; so it knows no kit, no plugin, no chain library and no sandbox.',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: {
        path: ['^packages/(kit-|sandbox|conformance|verify)', '^plugins/', '^server/', library(chains)],
        // The words of a promise and of what was read, which are of no family.
        pathNot: ['^packages/verify/src/(index\\.ts$|intent/)'],
      },
    },
    {
      name: 'kit-knows-its-family-only',
      comment: 'A kit is for any host: it must not reach the core, another kit, a plugin or the sandbox.',
      severity: 'error',
      from: { path: '^packages/kit-([^/]+)/src/' },
      to: { path: ['^packages/(core|sandbox|conformance)/', '^packages/kit-', '^plugins/', '^server/'], pathNot: '^packages/kit-$1/' },
    },
    {
      name: 'kit-decodes-only-where-it-is-declared',
      comment:
        'A kit hands bytes to the second reading and asks nothing else of it: what writes them must not share a helper with what checks them.',
      severity: 'error',
      from: { path: '^packages/kit-[^/]+/src/', pathNot: '/src/kit\\.ts$' },
      to: { path: '^packages/verify/' },
    },
    {
      name: 'kit-touches-no-network',
      comment: 'Every upstream call goes through the `fetch` it is given: failover, timeouts and credentials live there.',
      severity: 'error',
      from: { path: '^packages/kit-[^/]+/src/' },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram|fs)(/|$)' },
    },
    {
      name: 'plugin-knows-contract-and-kit',
      comment: 'What a plugin may not reach it cannot break: no core, no other plugin, no sandbox.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/src/' },
      to: {
        path: ['^packages/(core|sandbox|conformance|verify)/', '^plugins/', '^server/', '^examples/'],
        pathNot: '^plugins/$1/(src|intent)/',
      },
    },
    {
      name: 'plugin-touches-no-network',
      comment: 'A plugin asks its chain through its kit’s client only.',
      severity: 'error',
      from: { path: '^plugins/[^/]+/src/' },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram|fs|child_process)(/|$)' },
    },
    {
      name: 'scenario-knows-its-plugin-only',
      comment: 'A scenario is a world for one protocol; it may know the addresses of that plugin, and nothing of other plugins.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/sandbox/' },
      to: { path: ['^plugins/', '^packages/(core|kit-|conformance|verify)', '^server/'], pathNot: '^plugins/$1/(sandbox|src)/' },
    },
    {
      name: 'commands-load-what-they-run',
      comment: 'Nobody who lists keys, or asks for help, waits for the service to be loaded: a command imports it when it runs.',
      severity: 'error',
      from: { path: '^server/src/(cli/|main\\.ts$|home\\.ts$)' },
      to: {
        path: '^(packages/|plugins/|server/src/)',
        pathNot: '^server/src/(cli/|home\\.ts$)',
        dependencyTypesNot: ['type-only'],
        dynamic: false,
      },
    },
    {
      name: 'primary-loads-no-service',
      comment:
        'The process that starts the workers outlives every config and every version of a plugin: what it loaded it could not change, and a fault in it ends all.',
      severity: 'error',
      from: {
        path: '^(server/src/start/(primary/|messages|ports|stop)|packages/core/src/(primary|base/(listen-url|sums)|db/lock-file)\\.ts$)',
      },
      to: {
        path: '^(packages|plugins|server)/',
        pathNot: [
          '^server/src/start/(primary/|messages|ports|stop)',
          '^server/src/cli/refusal\\.ts$',
          '^packages/core/src/(primary|base/(listen-url|sums)|db/lock-file)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'conformance-knows-no-family',
      comment:
        'A family is imported by those who test one: the rest takes any, also one that does not exist yet, and no engine of a chain.',
      severity: 'error',
      from: { path: '^packages/conformance/src/', pathNot: '^packages/conformance/src/families/' },
      to: { path: ['^packages/conformance/src/families/', '^packages/(kit-|sandbox-)', library(chains)] },
    },
    {
      name: 'conformance-family-needs-itself-only',
      comment: 'Whoever tests a plugin of one family installs the libraries of no other; what was crafted is read by nothing of the kit.',
      severity: 'error',
      from: { path: '^packages/conformance/src/families/' },
      to: { path: ['^packages/(kit-|sandbox-)', library(chains)], pathNot: library('ethers') },
    },
    {
      name: 'conformance-families-apart',
      comment: 'What two families share stands in a file that is of neither.',
      severity: 'error',
      from: { path: '^packages/conformance/src/families/(evm|cosmos|svm|move)/' },
      to: {
        path: '^packages/conformance/src/families/(evm|cosmos|svm|move)/',
        pathNot: '^packages/conformance/src/families/$1/',
      },
    },
    {
      name: 'ethers-for-evm-only',
      comment: 'An author of another family does not install it.',
      severity: 'error',
      from: { path: '^packages/conformance/src/', pathNot: '^packages/conformance/src/families/evm/' },
      to: { path: library('ethers') },
    },
    {
      name: 'sandbox-knows-no-family',
      comment:
        'An engine is a value that a scenario brings: whoever tries one family installs no other, and one more changes nothing here.',
      severity: 'error',
      from: { path: '^packages/sandbox/(src|test)/' },
      to: { path: ['^packages/sandbox-', library(chains), library('(litesvm|@foundry-rs)')] },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'A sandbox chain is only a URL: it must not share code with what is tried on it.',
      severity: 'error',
      from: { path: ['^packages/sandbox/src/', '^packages/sandbox-[^/]+/src/'] },
      to: { path: ['^packages/(?!sandbox)', '^plugins/', '^server/'] },
    },
    {
      name: 'engine-knows-its-family-only',
      comment: 'Whoever installs the engine of one family must not get that of another with it.',
      severity: 'error',
      from: { path: '^packages/sandbox-([^/]+)/' },
      to: { path: '^packages/sandbox-', pathNot: '^packages/sandbox-$1/' },
    },
    {
      name: 'engine-loads-when-a-chain-is-wanted',
      comment: 'A start imports every scenario, and with it the index of its engine: the large libraries come only with a chain.',
      severity: 'error',
      from: { path: '^packages/sandbox-[^/]+/src/(index|engine|hub|wallets|evm-chain|svm-chain|move-chain)\\.ts$' },
      to: { path: [library(chains), library('litesvm')], dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'client-is-small',
      comment:
        'A caller bundles it, in a browser too: it knows the second reader and nothing else, no intent but those that he names, nothing of Node.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: '^packages/client/src/cli/' },
      to: { pathNot: ['^packages/client/src/(?!cli/)', src('verify')] },
    },
    {
      name: 'client-commands-are-small',
      comment: 'svc-verify runs where keys are: it knows the client, the second reader and Node, and the intents by name only.',
      severity: 'error',
      from: { path: '^packages/client/src/cli/' },
      to: { pathNot: ['^packages/client/src/', src('verify')], dependencyTypesNot: ['core'] },
    },
    {
      name: 'mcp-knows-client-and-verify',
      comment:
        'What an agent drafts is checked by the client and the second reader in its own process; intents are imported from the operator’s folder, and nothing of a service or a chain’s library is there to be misled.',
      severity: 'error',
      from: { path: '^packages/mcp/src/' },
      to: {
        pathNot: [
          '^packages/mcp/src/',
          src('client'),
          src('verify'),
          library('@modelcontextprotocol/server'),
          '^(node:)?(crypto|fs/promises|http|module|path|stream|stream/promises|url|util)$',
        ],
      },
    },
    {
      name: 'mcp-is-of-nobody',
      comment: 'Whoever runs a service or bundles a client installs no library of MCP with it.',
      severity: 'error',
      from: { pathNot: ['^packages/mcp/', '^packages/testing/'] },
      to: { path: ['^packages/mcp/', library('@modelcontextprotocol')] },
    },
    {
      name: 'dashboard-is-a-page',
      comment:
        'It runs in a browser with its reader’s token: what the server, a kit or Node has is not there, and what it can do a program can, by the REST API. It knows no protocol: intents are loaded from the service, where they cannot see the token.',
      severity: 'error',
      from: { path: '^packages/dashboard/src/' },
      to: {
        pathNot: ['^packages/dashboard/src/', '^packages/(client|verify)/src/', library('(preact|@preact/signals(-core)?)')],
      },
    },
    {
      name: 'dashboard-is-of-nobody',
      comment: 'The server finds it by name where the operator installed it, and reads its built files alone.',
      severity: 'error',
      from: { pathNot: '^packages/dashboard/' },
      to: { path: '^packages/dashboard/' },
    },
    {
      name: 'server-without-plugins',
      comment:
        'Which protocols there are is decided in the operator’s folder: a server that brought a plugin, a kit or what they need would bring it to everybody, and a stranger’s plugin would be less than an equal.',
      severity: 'error',
      from: { path: '^server/src/' },
      to: { path: ['^plugins/', '^packages/(kit-|conformance|verify|solana)', library(chains)] },
    },
    {
      name: 'sandbox-is-the-operators',
      comment:
        'Local chains are for trying out: they are imported from the operator’s folder when they are wanted. The server knows their types only.',
      severity: 'error',
      from: { path: '^server/src/' },
      to: { path: '^packages/sandbox', dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'examples-use-what-is-published',
      comment: 'An example is what a stranger copies: he has no src folders.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: ['^(packages|plugins|server)/[^/]+/(src|test)/', '^server/'],
        pathNot: [
          '^examples/$1/',
          '^(packages|plugins)/[^/]+/(intent/)?src/(bytes/|intent/|inspect/|evm/|cosmos/|svm/|move/|signers/)?index\\.ts$',
          '^packages/verify/src/(evm|cosmos|svm|move)/inspected\\.ts$',
          '^packages/contract/src/(book|host|requirements|rpc)\\.ts$',
          '^packages/testing/src/',
          '^packages/conformance/src/families/((evm|cosmos|svm|move)/family|json-rpc/index)\\.ts$',
        ],
      },
    },
    {
      name: 'testing-is-for-tests',
      comment:
        'What tests share is not published; neither is the bench, which drives one of them further, nor the command that asks real nodes the same questions.',
      severity: 'error',
      from: { pathNot: ['/test/', '^server/bench/', '^packages/testing/', '^packages/real/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'real-asks-from-outside',
      comment:
        'Whether the service is right about a chain is judged by what the chain’s own software says: a judge that used a kit, a sandbox or the core would make the same mistake twice. It starts the service as a process, and speaks to it as a customer does.',
      severity: 'error',
      // Contracts that a chain holds from its first block on: what stands there in place of the protocol's own, whoever judges.
      from: { path: '^packages/real/src/', pathNot: '^packages/real/src/evm/models\\.ts$' },
      to: {
        path: ['^packages/(core|contract|conformance|sandbox|kit-|mcp|solana)', '^plugins/[^/]+/(src|sandbox)/', '^server/', '^examples/'],
      },
    },
    {
      name: 'real-is-of-nobody',
      comment: 'It is a command for those who change a chain’s version; what is published does not know it.',
      severity: 'error',
      from: { pathNot: '^packages/real/' },
      to: { path: '^packages/real/' },
    },
    {
      name: 'test-folders-apart',
      comment: 'A package may be moved or rewritten with its tests: what tests of several packages share is in packages/testing.',
      severity: 'error',
      from: { path: '^((?:packages|plugins|examples)/[^/]+|server)/' },
      to: { path: '^((packages|plugins|examples)/[^/]+|server)/(intent/)?test/', pathNot: '^$1/' },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one, be it for a type.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared',
      comment: 'What is imported is in the package’s own manifest, or it works here only.',
      severity: 'error',
      from: { path: '^(packages|plugins|examples)/[^/]+/(src|sandbox)/|^server/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere. What examples/deploy imports is installed by operators, and for its test beside that.',
      severity: 'error',
      from: { pathNot: '^examples/deploy/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules' },
    // Our own builds only: what a library resolves to may lie in a dist folder too.
    exclude: { path: ['^(packages|plugins|examples)/[^/]+/(intent/)?dist/', '^(server|[.])/dist/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@svc/source', 'import', 'default', 'node', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.mjs', '.cjs'],
    },
  },
}
