// The boundaries of ARCHITECTURE.md, each with its reason. `pnpm boundaries` checks them.

/** Resolved paths of this workspace's own packages: dependency-cruiser follows the links to the real folders. */
const src = (name) => `^packages/${name}/`
const chains = '(ethers|@cosmjs|cosmjs-types|@solana|@mysten)'
const library = (name) => `node_modules/${name}/`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'verify-imports-nothing',
      comment:
        'verify is the second reading of a transaction and runs in callers’ processes and browsers: whatever it imported could lie for it.',
      severity: 'error',
      from: { path: '^packages/verify/src/' },
      to: { pathNot: '^packages/verify/src/' },
    },
    {
      name: 'contract-knows-no-chain',
      comment: 'The contract is what every family shares; a chain library in it would be paid by all, and would shape it.',
      severity: 'error',
      from: { path: '^packages/contract/src/' },
      to: { pathNot: ['^packages/contract/src/', src('verify'), library('typebox'), library('fastify')] },
    },
    {
      name: 'core-knows-no-family',
      comment: 'The core serves families that do not exist yet; so it knows no kit, no plugin, no chain library and no sandbox.',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { path: ['^packages/(kit-|sandbox|conformance|verify)', '^plugins/', '^server/', library(chains)] },
    },
    {
      name: 'kit-knows-its-family-only',
      comment: 'A kit is for any host: it must not reach the core, another kit, a plugin or the sandbox.',
      severity: 'error',
      from: { path: '^packages/kit-([^/]+)/src/' },
      to: { path: ['^packages/(core|sandbox|conformance)/', '^packages/kit-', '^plugins/', '^server/'], pathNot: '^packages/kit-$1/' },
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
      to: { path: ['^packages/(core|sandbox|conformance|verify)/', '^plugins/', '^server/', '^examples/'], pathNot: '^plugins/$1/src/' },
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
      name: 'sandbox-stands-alone',
      comment: 'A sandbox chain is only a URL: it must not share code with what is tried on it.',
      severity: 'error',
      from: { path: '^packages/sandbox/src/' },
      to: { path: ['^packages/(?!sandbox/)', '^plugins/', '^server/'] },
    },
    {
      name: 'server-names-no-plugin',
      comment: 'The deployable’s plugins are its dependencies; code that named one would have to be changed for the next.',
      severity: 'error',
      from: { path: '^server/src/' },
      to: { path: ['^plugins/', '^packages/(kit-|conformance|verify)'] },
    },
    {
      name: 'sandbox-only-on-demand',
      comment: 'A production install has no sandbox: it is imported when it is wanted, never at start.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/sandbox\\.ts$' },
      to: { path: ['^packages/sandbox/', '^server/src/sandbox\\.ts$'], dynamic: false, dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'examples-use-what-is-published',
      comment: 'An example is what a stranger copies: he has no src folders.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: { path: ['^(packages|plugins|server)/[^/]+/(src|test)/(?!index\\.ts$)', '^server/'], pathNot: '^examples/$1/' },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-undeclared',
      comment: 'What is imported is in the package’s own manifest, or it works here only.',
      severity: 'error',
      from: { path: '^(packages|plugins|examples)/[^/]+/(src|sandbox)/|^server/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    { name: 'no-unresolvable', comment: 'An import that leads nowhere.', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@svc/source', 'import', 'default', 'node', 'types'],
      extensions: ['.ts', '.js', '.json', '.mjs', '.cjs'],
    },
  },
}
