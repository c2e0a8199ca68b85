// Writes the page of the panel and the policy under which it runs. The page says nothing about the content: it is the same
// for everybody, and the panel asks the API for everything else, with the token of whoever looks at it.

import type { PanelManifest } from './assets.ts'
import type { ServedModule } from './plugin-modules.ts'

/** The parts of the page, apart from the nonce. */
export interface PageParts {
  readonly manifest: PanelManifest
  /** The path of the panel, with the prefix of the server. */
  readonly path: string
  /** The prefix of the server; empty for none. */
  readonly root: string
  /** The path of the content API, with the prefix of the server. */
  readonly api: string
  readonly title: string
  /** True if a new entry is a draft by default. */
  readonly beginsAsDraft: boolean
  /** The modules of plugins. */
  readonly modules: readonly ServedModule[]
  /** Origins of media that other servers deliver. */
  readonly mediaOrigins: readonly string[]
  /** Origins of previews, which the panel shows in a frame. */
  readonly previewOrigins: readonly string[]
}

/** The headers of the page; the nonce is that of the same answer. */
export function pageHeaders({ mediaOrigins, previewOrigins }: PageParts, nonce: string): Record<string, string> {
  const media = ["'self'", ...mediaOrigins].join(' ')
  const policy = {
    'default-src': "'none'",
    'base-uri': "'none'",
    'connect-src': "'self'",
    'font-src': "'self'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'frame-src': previewOrigins.length === 0 ? "'none'" : previewOrigins.join(' '),
    'img-src': `${media} blob:`,
    'media-src': media,
    'script-src': `'self' 'nonce-${nonce}'`,
    'style-src': `'self' 'nonce-${nonce}'`,
  }
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join(';'),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** The page. React Aria finds the nonce of its style tags in the tag `meta`. */
export function writePage(
  { manifest, path, root, api, title, beginsAsDraft, mediaOrigins, modules }: PageParts,
  nonce: string,
): string {
  const fileOf = (name: string) => `${path}/assets/${name}`
  const imports = Object.fromEntries(Object.entries(manifest.imports).map(([name, file]) => [name, fileOf(file)]))
  const plugins = modules.map(({ name, module, styles }) => ({
    name,
    module: `${path}/plugins/${module.name}`,
    styles: styles === null ? null : `${path}/plugins/${styles.name}`,
  }))
  const start = { path, root, api, title, beginsAsDraft, mediaOrigins, plugins }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" content="${nonce}" nonce="${nonce}">
<title>${escapeText(title)}</title>
<link rel="icon" href="${fileOf(manifest.icon)}" type="image/svg+xml">
<link rel="preload" href="${fileOf(manifest.font)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${fileOf(manifest.styles)}">
<script type="importmap" nonce="${nonce}">${jsonText({ imports })}</script>
<script type="application/json" id="studio-start">${jsonText(start)}</script>
${manifest.preloads.map(name => `<link rel="modulepreload" href="${fileOf(name)}">`).join('\n')}
<script type="module" src="${fileOf(manifest.main)}"></script>
</head>
<body>
<div id="studio"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeText = (text: string) => text.replace(/[&<>"]/g, one => escapes[one]!)

/** JSON that cannot end the tag around it. */
const jsonText = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
