/**
 * Parts of the console's page: its HTML, its settings, and the style that is laid over Swagger UI's own. Nothing stands inline and
 * nothing comes from another origin, so that the policy below allows neither.
 */

/**
 * Policy of the page. Swagger UI 6 (5.x) writes `style` attributes and inserts SVG as `data:` images, found 2026-11-22 by its own violations. There is no
 * `upgrade-insecure-requests`: on plain http, browsers would ask for every file by https, and the page would stay white.
 */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Files of Swagger UI that the page uses. Its standalone layout is left out: a bar of 268 kB that asks for the address of a document. */
export const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const

export const CONSOLE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Staking Transaction Service</title>
<link rel="icon" type="image/png" sizes="32x32" href="/docs/static/favicon-32x32.png">
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/console.css">
<script src="/docs/static/swagger-ui-bundle.js" defer></script>
<script src="/docs/static/console.js" defer></script>
</head>
<body>
<noscript>This console needs JavaScript; the document it shows is <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="swagger-ui"></div>
</body>
</html>
`

/**
 * The script of the page. It follows the reader's colours by Swagger UI's own dark mode, which is a class of the root. Swagger UI filters by the names of tags alone, and those
 * are short names of plugins: here a search finds any operation by its path, method, summary, description, and what is said of its tag.
 *
 * Each field of the Authorize dialog asks for the focus, and the last gets it, below the API key's; the first is meant. */
export const CONSOLE_JS = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
follow()
dark.addEventListener('change', follow)

const findAnywhere = () => ({
  fn: {
    opsFilter(tagged, phrase) {
      const words = phrase.trim().toLowerCase()
      const has = (...texts) => texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(words))
      return tagged
        .map((tag, name) =>
          has(name, tag.getIn(['tagDetails', 'description']))
            ? tag
            : tag.update('operations', (operations) =>
                operations.filter((each) =>
                  has(each.get('path'), each.get('method'), ...['summary', 'description', 'operationId'].map((member) => each.getIn(['operation', member]))),
                ),
              ),
        )
        .filter((tag) => tag.get('operations').size > 0)
    },
  },
})

const startAtFirstField = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        showDefinitions: (show) => (definitions) => {
          const shown = show(definitions)
          if (definitions) setTimeout(() => {
            document.querySelector('.modal-ux input')?.focus({ preventScroll: true })
            document.querySelector('.modal-ux-content')?.scrollTo(0, 0)
          }, 50)
          return shown
        },
      },
    },
  },
})

SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/openapi.json',
  validatorUrl: null,
  plugins: [startAtFirstField, findAnywhere],
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
})
`

export const CONSOLE_CSS = `html { overflow-y: scroll; scrollbar-gutter: stable }
body { margin: 0; background: #fff }
html.dark-mode body { background: #1c2022 }
.swagger-ui .info { margin: 24px 0 16px }
.swagger-ui .scheme-container { padding: 16px 0; margin: 0 0 8px }
.swagger-ui .dialog-ux .modal-ux { width: calc(100% - 24px); max-width: 650px }
.swagger-ui .dialog-ux .modal-ux-content { max-height: calc(100vh - 160px) }
.swagger-ui .auth-container input[type=text], .swagger-ui .auth-container input[type=password] { width: 100%; min-width: 0; max-width: none }
@media (max-width: 640px) {
  .swagger-ui .info .title { font-size: 26px }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 20px }
  .swagger-ui .opblock-tag small { order: 1; flex-basis: 100%; padding: 0 }
  .swagger-ui .opblock .opblock-summary-method { min-width: 60px; padding: 6px 4px }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: 8px }
  .swagger-ui table.headers, .swagger-ui .responses-table { display: block; overflow-x: auto }
  .swagger-ui .parameters, .swagger-ui .parameters tbody, .swagger-ui .parameters tr, .swagger-ui .parameters td { display: block; width: auto }
  .swagger-ui .parameters thead { display: none }
}
`
