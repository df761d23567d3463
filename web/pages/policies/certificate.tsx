import { call } from '../../client/calls.ts'
import { DownloadMenu } from '../../components/download-menu.tsx'
import { acknowledgement } from '../../copy/acknowledgement.ts'

const words = acknowledgement.certificate

/** The certificate of a version with its corrections, or of all that anybody was asked about. */
export function Certificate({ policyId, versionId }: { policyId: string; versionId: string | null }) {
  return (
    <DownloadMenu
      label={words.title}
      formats={words.formats}
      ask={(format) =>
        call('downloadAttestationCertificate', {
          policyId,
          format,
          ...(versionId !== null && { versionId }),
        })
      }
    />
  )
}
