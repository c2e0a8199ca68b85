// Checks signatures of version 4 in the header of a request, as S3 does. It is written from AWS's description of them and
// uses nothing of the SDK, so that a fault of one is not a fault of the other.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The account whose requests are accepted. */
export interface Account {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

/** A refusal in the words of S3. */
export class S3Refusal extends Error {
  readonly status: number
  readonly reason: string
  /** Further elements of the answer. */
  readonly details: Readonly<Record<string, string>>

  constructor(status: number, reason: string, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.reason = reason
    this.details = details
  }
}

const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** The maximum difference between the clocks, in milliseconds. */
const mostSkew = 15 * 60_000

/** Throws S3Refusal unless the account has signed the request. */
export function checkSignature(request: IncomingMessage, account: Account): void {
  const authorization = request.headers.authorization
  if (authorization === undefined) throw new S3Refusal(403, 'AccessDenied', 'Access Denied')
  const [, credential = '', names = '', signature = ''] = header.exec(authorization) ?? []
  const [key, day, region, service, end] = credential.split('/')
  if (service !== 's3' || end !== 'aws4_request') throw malformed('the credential is mal-formed', account)
  if (key !== account.accessKeyId)
    throw new S3Refusal(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
      {
        AWSAccessKeyId: key!,
      },
    )
  if (region !== account.region) throw malformed(`the region '${region}' is wrong`, account)
  const time = String(request.headers['x-amz-date'])
  checkTime(time, day!)
  const signed = names.split(';')
  const needed = ['host', ...Object.keys(request.headers).filter(name => name.startsWith('x-amz-'))]
  if (needed.some(name => !signed.includes(name))) throw new S3Refusal(403, 'AccessDenied', 'Headers are not signed')
  const canonical = canonicalRequest(request, signed)
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`
  const signingKey = [day!, region!, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${account.secretAccessKey}`,
  )
  const expected = createHmac('sha256', signingKey).update(toSign).digest()
  if (timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return
  throw new S3Refusal(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.', {
    AWSAccessKeyId: key!,
    StringToSign: toSign,
    CanonicalRequest: canonical,
  })
}

function malformed(why: string, { region }: Account): S3Refusal {
  return new S3Refusal(400, 'AuthorizationHeaderMalformed', `The authorization header is malformed; ${why}`, {
    Region: region,
  })
}

function checkTime(time: string, day: string): void {
  const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const skew = Math.abs(Date.parse(iso) - Date.now())
  if (!(skew <= mostSkew) || !time.startsWith(day))
    throw new S3Refusal(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the server is too large.',
    )
}

function canonicalRequest(request: IncomingMessage, signed: readonly string[]): string {
  const [path = '', query = ''] = request.url!.split('?')
  const pairs = query.split('&').filter(pair => pair !== '')
  const sorted = pairs.map(pair => (pair.includes('=') ? pair : `${pair}=`)).sort()
  const headers = signed.map(
    name =>
      `${name}:${String(request.headers[name] ?? '')
        .trim()
        .replaceAll(/ +/g, ' ')}\n`,
  )
  const payload = String(request.headers['x-amz-content-sha256'])
  return [request.method, path, sorted.join('&'), headers.join(''), signed.join(';'), payload].join('\n')
}
