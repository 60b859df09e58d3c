import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { guide } from './build/guide.ts'
import { offline } from './build/offline.ts'

// Nothing stands inline and nothing is added to the document later, so that the policy of the served page allows neither:
// - modulePreload: Firefox fetches such links under default-src, which is 'none'; its polyfill is dead weight besides.
// - assetsInlineLimit: small files would become data: addresses.
// - cssCodeSplit: one sheet; else a page that is loaded later adds a link by script.
// - cssTarget: for older ones `color-scheme` is rewritten into variables.
export default defineConfig({
  base: './',
  build: {
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    sourcemap: false,
    // Of what is bundled: their licences ask for it.
    license: { fileName: 'licenses.md' },
  },
  // `pnpm dev`: the API of a service that runs already, as `npm start` runs one.
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:3000',
      '/intents': { target: 'http://127.0.0.1:3000', rewrite: (path) => `/dashboard${path}` },
    },
  },
  // As a script of its own, which loads the intents by their addresses.
  worker: { format: 'iife' },
  resolve: { conditions: ['@svc/source', 'module', 'browser'] },
  plugins: [offline(), compressed(), guide()],
})
