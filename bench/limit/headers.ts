// The headers that the dialect demands of every answer (B-1.56, B-1.61), beside those that Node adds.

/** Headers by name, in the order in which Plinth sends them. `LIMIT_HEADERS=0` leaves them out. */
export const demandedHeaders: Readonly<Record<string, string>> =
  process.env.LIMIT_HEADERS === '0'
    ? {}
    : {
        vary: 'Origin',
        'access-control-allow-credentials': 'true',
        'content-security-policy':
          "default-src 'self';connect-src 'self' https:;img-src 'self' data: blob:;media-src 'self' data: blob:;base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'SAMEORIGIN',
        'x-permitted-cross-domain-policies': 'none',
        'x-powered-by': 'Plinth',
      }
