import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestOrganization, TestService } from './support/service.ts'
import {
  type Sheets,
  sheetsOf,
  startSheets,
  type TestBulkChange,
  type TestSummary,
} from './support/sheets.ts'

/*
 * Promise: a register that an organization keeps in a spreadsheet is imported as it is. Its titles and values are
 * understood in English, German, French and Spanish, its scales and names in the forms in which people write them, and
 * what is left out is stated.
 */

let one: TestService
let acme: TestOrganization
let sheets: Sheets
beforeAll(async () => {
  const started = await startSheets()
  one = started.one
  acme = started.acme
  sheets = started.sheets
})
afterAll(() => one.close())

const keysOf = ({ columns }: TestBulkChange) => columns.map(({ key }) => key)
const head = async (type: string, titles: string): Promise<(string | null)[]> =>
  keysOf(await sheets.begin(type, `${titles}\n${titles.replaceAll(/[^;]+/g, 'x')}\n`))
const changesOf = async (id: string) =>
  (await sheets.rows(id)).map(({ changes }) =>
    Object.fromEntries(changes.map(({ field, after }) => [field, after])),
  )
const summaryOf = (id: string) => sheets.ask<TestSummary>('summarizeBulkChange', { id })
const notesOf = ({ notes }: TestBulkChange) =>
  Object.fromEntries(notes.map(({ code, titles }) => [code, titles]))

test('the columns of registers are recognised in four languages', async () => {
  const REGISTERS: readonly [type: string, head: string, keys: readonly (string | null)[]][] = [
    [
      'personnel',
      'Personalnummer;Vorname;Nachname;E-Mail-Adresse;Abteilung;Stellenbezeichnung;Vorgesetzter;Eintritt;Austritt;Vertragsart;Standort',
      [
        ...['employeeNumber', 'givenName', 'familyName', 'workEmail', 'department', 'jobTitle', 'managerId'],
        ...['startDate', 'endDate', 'employmentType', 'location'],
      ],
    ],
    [
      'personnel',
      'Matricule;Prénom;Nom;Courriel;Service;Poste;Responsable hiérarchique;Date d’entrée;Type de contrat',
      [
        ...['employeeNumber', 'givenName', 'familyName', 'workEmail', 'department', 'jobTitle', 'managerId'],
        ...['startDate', 'employmentType'],
      ],
    ],
    [
      'personnel',
      'Nombre;Apellidos;Correo electrónico;Departamento;Cargo;Fecha de ingreso;Tipo de contrato;País',
      [
        ...['givenName', 'familyName', 'workEmail', 'department', 'jobTitle', 'startDate', 'employmentType'],
        'country',
      ],
    ],
    ['personnel', 'Name;Vorname;E-Mail', ['familyName', 'givenName', 'workEmail']],
    [
      'personnel',
      'first_name;middle_name;last_name;email;Contract;Employment status;Hire Date',
      [
        ...['givenName', 'nameParts.middle', 'familyName', 'workEmail', 'employmentType', 'status'],
        'startDate',
      ],
    ],
    [
      'asset',
      'ID;Asset-Name;Typ;Eigentümer;Verwalter;Standort;Klassifizierung;Kritikalität;Umgebung;Beschreibung;Status',
      [
        ...['externalId', 'name', 'type', 'owner', 'custodian', 'location', 'classification', 'criticality'],
        ...['environment', 'description', 'status'],
      ],
    ],
    [
      'asset',
      'Nom de l’actif;Type d’actif;Propriétaire;Criticité;Confidentialité;Intégrité;Disponibilité;Emplacement;Statut',
      [
        ...['name', 'type', 'owner', 'criticality', 'confidentiality', 'integrity', 'availability'],
        ...['location', 'status'],
      ],
    ],
    [
      'asset',
      'Nombre del activo;Tipo de activo;Responsable;Criticidad;Ubicación;Número de serie;Estado',
      ['name', 'type', 'owner', 'criticality', 'location', 'serialNumber', 'status'],
    ],
    [
      'vendor',
      'ID;Lieferant;Leistung;Kategorie;Kritikalität;Zertifizierungen;Nächste Prüfung;Status;Verantwortlich;Land',
      [
        ...['externalId', 'name', 'servicesProvided', 'category', 'businessImpact', 'certifications'],
        ...['nextReviewDate', 'status', 'owner', 'headquartersCountry'],
      ],
    ],
    [
      'vendor',
      'Fournisseur;Prestation;Criticité;Pays;Données personnelles;Responsable;Prochaine revue;Site web',
      [
        ...['name', 'servicesProvided', 'businessImpact', 'headquartersCountry', 'processesPersonalData'],
        ...['owner', 'nextReviewDate', 'website'],
      ],
    ],
    [
      'vendor',
      'Proveedor;Servicio;Criticidad;País;Datos personales;Responsable;Próxima revisión',
      [
        ...['name', 'servicesProvided', 'businessImpact', 'headquartersCountry', 'processesPersonalData'],
        ...['owner', 'nextReviewDate'],
      ],
    ],
    [
      'risk',
      'Nr.;Risiko;Beschreibung;Bedrohung;Schwachstelle;Eintrittswahrscheinlichkeit (1-5);Schadensausmaß;Risikoeigentümer;Behandlung;Fällig am',
      [
        ...['externalId', 'title', 'description', 'threat', 'vulnerability', 'likelihood', 'impact', 'owner'],
        ...['treatmentStrategy', 'dueDate'],
      ],
    ],
    [
      'risk',
      'Réf.;Risque;Menace;Vulnérabilité;Vraisemblance;Gravité;Propriétaire du risque;Traitement du risque;Échéance',
      [
        ...['externalId', 'title', 'threat', 'vulnerability', 'likelihood', 'impact', 'owner'],
        ...['treatmentStrategy', 'dueDate'],
      ],
    ],
    [
      'risk',
      'ID;Riesgo;Amenaza;Vulnerabilidad;Probabilidad;Impacto;Propietario del riesgo;Tratamiento;Fecha límite',
      [
        ...['externalId', 'title', 'threat', 'vulnerability', 'likelihood', 'impact', 'owner'],
        ...['treatmentStrategy', 'dueDate'],
      ],
    ],
    [
      'control',
      'Kontroll-ID;Kontrollname;Umsetzungsstatus;Verantwortlicher;Umsetzungsbeschreibung;Wirksamkeit;Priorität',
      [...['code', 'title', 'implementationStatus', 'owner', 'description', 'effectiveness', 'priority']],
    ],
    [
      'control',
      'Réf.;Mesure de sécurité;Statut de mise en œuvre;Responsable;Description;Échéance;Priorité',
      ['code', 'title', 'implementationStatus', 'owner', 'description', 'dueDate', 'priority'],
    ],
    [
      'control',
      'Código;Control;Estado de implementación;Responsable;Descripción;Frecuencia',
      ['code', 'title', 'implementationStatus', 'owner', 'description', 'frequency'],
    ],
    [
      'evidence',
      'Nachweis;Art;Ablageort;Verantwortlich;Gültig bis;Beschreibung',
      ['title', 'kind', 'url', 'owner', 'expiryDate', 'description'],
    ],
    [
      'evidence',
      'Preuve;Type;Lien;Responsable;Date d’expiration',
      ['title', 'kind', 'url', 'owner', 'expiryDate'],
    ],
    [
      'evidence',
      'Evidencia;Tipo de evidencia;Enlace;Responsable;Fecha de caducidad',
      ['title', 'kind', 'url', 'owner', 'expiryDate'],
    ],
    [
      'policy',
      'Dok-ID;Titel;Typ;Eigentümer;Genehmiger;Gültig ab;Nächste Prüfung;Klassifizierung;Status',
      [
        ...['externalId', 'name', 'documentType', 'owner', 'approver', 'effectiveDate', 'reviewDate'],
        ...['classification', 'status'],
      ],
    ],
    [
      'policy',
      'Référence;Titre du document;Type de document;Propriétaire;Approuvé par;Entrée en vigueur;Prochaine révision',
      ['externalId', 'name', 'documentType', 'owner', 'approver', 'effectiveDate', 'reviewDate'],
    ],
    [
      'policy',
      'Código;Documento;Tipo de documento;Responsable;Aprobado por;Vigente desde;Próxima revisión',
      ['externalId', 'name', 'documentType', 'owner', 'approver', 'effectiveDate', 'reviewDate'],
    ],
    [
      'task',
      'Aufgabe;Beschreibung;Bearbeiter;Fällig am;Priorität;Status;Aufwand',
      ['title', 'description', 'assignee', 'dueDate', 'priority', 'status', 'estimateHours'],
    ],
    [
      'task',
      'Tâche;Responsable;Échéance;Priorité;Statut',
      ['title', 'assignee', 'dueDate', 'priority', 'status'],
    ],
    [
      'task',
      'Tarea;Responsable;Fecha de vencimiento;Prioridad;Estado',
      ['title', 'assignee', 'dueDate', 'priority', 'status'],
    ],
    ['framework', 'Norm;Herausgeber;Eigentümer', ['name', null, 'owner']],
    ['control', 'ref_id;name;description', ['code', 'title', 'description']],
    ['asset', 'ref_id;name;type', ['externalId', 'name', 'type']],
    ['risk', 'Ref;Title;Score;Version;createdAt', ['externalId', 'title', null, null, null]],
  ]
  for (const [type, titles, keys] of REGISTERS)
    expect([titles, await head(type, titles)]).toEqual([titles, keys])
})

test('a sheet with titles in another language is found behind a cover', async () => {
  const workbook = Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'Deckblatt',
          rows: [
            ['Risikoregister', '', ''],
            ['Stand', '2026', 'Entwurf'],
            ['a', 'b', 'c'],
          ],
        },
        {
          name: 'Risiken',
          rows: [
            ['Risiko', 'Eintrittswahrscheinlichkeit', 'Maßnahme'],
            ['Brand', 2, 'x'],
          ],
        },
      ],
    }),
  )
  const begun = await sheets.begin('risk', workbook)
  expect(begun.file).toMatchObject({ sheet: 'Risiken' })
  expect(notesOf(begun)).toMatchObject({ sheets_left_out: ['Deckblatt'], columns_left_out: ['Maßnahme'] })
})

test('a full name is made of its parts, and follows them later', async () => {
  const planned = await sheets.bring(
    'personnel',
    'Titel;Vorname;Nachname;E-Mail\nDr.;Ada;Sample;ada.sample@example.com\n;Bo;Lind;bo.lind@example.com\n;;Solo;solo@example.com\n',
    { columns: ['nameParts.title', 'givenName', 'familyName', 'workEmail'], identity: 'workEmail' },
  )
  expect(planned.planned).toMatchObject({ create: 3, error: 0 })
  expect((await changesOf(planned.id)).map(({ fullName, givenName }) => [fullName, givenName])).toEqual([
    ['Dr. Ada Sample', 'Ada'],
    ['Bo Lind', 'Bo'],
    ['Solo', undefined],
  ])
  expect(notesOf(planned)).toMatchObject({ name_composed: ['Titel', 'Vorname', 'Nachname'] })
  await sheets.apply(planned.id, 'all')
  // The key is remembered with the columns, and a name that was composed follows its parts.
  const again = await sheets.begin('personnel', 'Vorname;Nachname;E-Mail\nBo;Lindqvist;bo.lind@example.com\n')
  expect(again.identity).toBe('workEmail')
  const married = await sheets.plan(again, { identity: again.identity })
  expect(await changesOf(married.id)).toEqual([{ fullName: 'Bo Lindqvist', familyName: 'Lindqvist' }])
  // A file without the column is matched as any other.
  expect((await sheets.begin('personnel', 'Vorname;Nachname\nBo;Lind\n')).identity).toBe('known')
})

test('numbers and words for the steps of a scale are read, and other scales are proposed once for the column', async () => {
  const five = await sheets.bring(
    'risk',
    [
      'Risk title;Likelihood (1-5);Impact',
      'A;3;4',
      'B;1 - Rare;5 (Catastrophic)',
      'C;3/5;Major (4)',
      'D;5;1',
    ].join('\n'),
  )
  expect(five.planned).toMatchObject({ create: 4, error: 0 })
  expect((await changesOf(five.id)).map(({ likelihood, impact }) => [likelihood, impact])).toEqual([
    ['Possible', 'Major'],
    ['Rare', 'Severe'],
    ['Possible', 'Major'],
    ['Almost certain', 'Insignificant'],
  ])
  expect(five.notes.filter(({ code }) => code === 'scale_read').map(({ titles }) => titles)).toEqual([
    ['Likelihood (1-5)', '1 = Rare', '5 = Almost certain'],
    ['Impact', '1 = Insignificant', '5 = Severe'],
  ])
  const three = await sheets.bring(
    'risk',
    'Risk title;Likelihood (1-3);Impact\nA;1;Low\nB;3;High\nC;2;Medium\nD;3;Low\n',
  )
  expect(three.planned).toMatchObject({ error: 4 })
  const { problems } = await summaryOf(three.id)
  const proposed = problems
    .flatMap(({ field, unknown }) => unknown.map(({ value, proposed }) => [field, value, proposed]))
    .toSorted()
  expect(proposed).toEqual([
    ['impact', 'High', 'major'],
    ['impact', 'Low', 'minor'],
    ['impact', 'Medium', 'moderate'],
    ['likelihood', '1', 'rare'],
    ['likelihood', '2', 'possible'],
    ['likelihood', '3', 'almost_certain'],
  ])
  const meanings = problems.flatMap(({ column, unknown }) =>
    unknown.map(({ value, proposed }) => ({ column, word: value, choice: proposed })),
  )
  expect((await sheets.plan(three, { meanings })).planned).toMatchObject({ create: 4, error: 0 })
  // A level has four steps, and ten are more than any scale here has.
  const levels = await sheets.bring('asset', 'Name;Type;Criticality\nA;Server;4\nB;Server;2 - Medium\n')
  expect((await changesOf(levels.id)).map(({ criticality }) => criticality)).toEqual(['Critical', 'Medium'])
  const ten = await sheets.bring('risk', 'Risk name;Likelihood\nA;10\nB;5\n')
  const [problem] = (await summaryOf(ten.id)).problems
  expect(problem!.unknown.map(({ value, proposed }) => [value, proposed]).toSorted()).toEqual([
    ['10', 'almost_certain'],
    ['5', 'possible'],
  ])
})

test('one number outside a scale is asked about, and the others keep their steps', async () => {
  const wrong = async (number: number) => {
    const rows = ['A;3', 'B;5', 'C;1', `D;${number}`].join('\n')
    const file = await sheets.bring('risk', `Titel;Eintrittswahrscheinlichkeit\n${rows}\n`)
    const [problem] = (await summaryOf(file.id)).problems
    return [file.planned, problem!.unknown.map(({ value, proposed }) => [value, proposed])]
  }
  for (const number of [0, 7])
    expect(await wrong(number)).toEqual([
      expect.objectContaining({ create: 3, error: 1 }),
      [[String(number), null]],
    ])
})

test('values are understood in four languages', async () => {
  const people = await sheets.bring(
    'personnel',
    [
      'Full name;Work e-mail;Employment;Status',
      'A;a@example.com;Full-time;aktiv',
      'B;b@example.com;Teilzeit;En poste',
      'C;c@example.com;Stagiaire;Inactivo',
      'D;d@example.com;Autónomo;Elternzeit',
    ].join('\n'),
  )
  expect(people.planned).toMatchObject({ create: 4, error: 0 })
  expect((await changesOf(people.id)).map(({ employmentType, status }) => [employmentType, status])).toEqual([
    ['Employee', 'Active'],
    ['Employee', 'Active'],
    ['Intern', 'Former'],
    ['Contractor', 'On leave'],
  ])
  const assets = await sheets.bring(
    'asset',
    [
      'Name;Type;Criticality;Classification;Encrypted',
      'A;Anwendung;Med;Vertraulich;ja',
      'B;Base de données;Élevée;Interne;non',
      'C;Servidor;Crítico;Público;sí',
    ].join('\n'),
  )
  expect(await changesOf(assets.id)).toMatchObject([
    { type: 'Application', criticality: 'Medium', classification: 'Confidential', encrypted: 'yes' },
    { type: 'Database', criticality: 'High', classification: 'Internal', encrypted: 'no' },
    { type: 'Server', criticality: 'Critical', classification: 'Public', encrypted: 'yes' },
  ])
})

test('a title is the first sentence of the description where a register has none', async () => {
  const long = `${'Unpatched servers in the second data centre '.repeat(5)}are open.`
  const planned = await sheets.bring(
    'risk',
    `Description;Threat\n"Doors stay open. Nobody checks, e.g. at night.";x\n${long};y\n;Theft\n`,
  )
  expect(planned.planned).toMatchObject({ create: 3, error: 0 })
  const titles = (await changesOf(planned.id)).map(({ title }) => title!)
  expect(titles[0]).toBe('Doors stay open')
  expect(titles[1]!.length).toBeLessThanOrEqual(120)
  expect(titles[1]).toMatch(/^Unpatched servers .*…$/)
  expect(titles[2]).toBe('Theft')
  expect(notesOf(planned)).toMatchObject({ title_from_text: ['Description', 'Threat'] })
  // A register that has titles lacks one by mistake.
  const titled = await sheets.bring('risk', 'Title;Description\n;No title here.\n')
  expect(titled.planned).toMatchObject({ error: 1 })
})

test('rows that add up a table are left out, and can be taken back in', async () => {
  for (const [total, numbers] of [
    ['Total', '1200'],
    ['Summe:', '"1.200,50 €"'],
    ['Total général', '12'],
  ] as const) {
    const begun = await sheets.begin(
      'vendor',
      `Supplier;Annual spend\nOne;700\nTotal Energies;500\n${total};${numbers}\n`,
    )
    expect(begun).toMatchObject({ rowCount: 2, leftOut: { count: 1, rows: [{ number: 4, isTotal: true }] } })
    const planned = await sheets.plan(begun, { currency: 'EUR' })
    await sheets.ask('restoreImportRows', { id: begun.id, rows: [4] })
    expect(await sheets.planned(planned.id)).toMatchObject({ rowCount: 3, leftOut: { count: 0 } })
  }
  // A record may be called so, above others or with words next to it.
  const kept = await sheets.begin('vendor', 'Supplier;Services\nTotal;12\nSum;Accounting\n')
  expect(kept).toMatchObject({ rowCount: 2, leftOut: { count: 0 } })
})

test('values that match nothing are left empty where the user says so for the column', async () => {
  const file =
    'Risk;Owner;Category;Control\nPower cut;IT Operations Lead;Weather;Generators\nFlood;ISO;Water;Dams\n'
  const planned = await sheets.bring('risk', file)
  expect(planned.planned).toMatchObject({ error: 2 })
  const emptied = await sheets.plan(planned, { emptyUnmatched: [1, 2, 3] })
  expect(emptied.planned).toMatchObject({ create: 2, error: 0 })
  expect(
    (await summaryOf(planned.id)).emptied.map(({ column, value }) => [column, value]).toSorted(),
  ).toEqual(
    [
      [1, 'IT Operations Lead'],
      [1, 'ISO'],
      [2, 'Water'],
      [2, 'Weather'],
      [3, 'Dams'],
      [3, 'Generators'],
    ].toSorted(),
  )
  // It stays said while the columns stay, and can be taken back.
  expect((await sheets.plan(emptied)).planned).toMatchObject({ create: 2 })
  expect((await sheets.plan(emptied, { emptyUnmatched: [] })).planned).toMatchObject({ error: 2 })
  // What a record needs is "Other" then, and so it is where the file has no column for it.
  const needed = await sheets.bring('asset', 'Name;Type\nA;Gizmo\n')
  expect(needed.planned).toMatchObject({ error: 1 })
  const other = await sheets.plan(needed, { emptyUnmatched: [1] })
  expect(await changesOf(other.id)).toMatchObject([{ name: 'A', type: 'Other' }])
  const without = await sheets.bring('asset', 'Name\nB\n')
  expect(await changesOf(without.id)).toMatchObject([{ name: 'B', type: 'Other' }])
  expect(without.notes).toContainEqual({ code: 'left_as_other', field: 'Type', titles: [] })
})

test('columns that only look like ids or sources of the service are not taken for them', async () => {
  const findings = await sheets.bring(
    'security_finding',
    'ID;Title;Severity;Source;Due;Owner\nV-1;Old kernel;High;CISA KEV;N/A;--\nV-2;Open port;2;Vendor advisory;2027-01-31;N/A\n',
  )
  expect(keysOf(findings)).toEqual(['externalId', 'title', 'severity', 'origin', 'dueDate', 'owner'])
  const { problems } = await summaryOf(findings.id)
  expect(
    problems
      .flatMap(({ field, unknown }) => unknown.map((one) => [field, one.value, one.proposed]))
      .toSorted(),
  ).toEqual([
    ['origin', 'CISA KEV', null],
    ['origin', 'Vendor advisory', null],
    // The first of severities is often the highest, so nobody is asked to trust a guess.
    ['severity', '2', 'high'],
  ])
  const references = await sheets.begin(
    'control',
    'Control ID;Control name;Reference\nA.5.1;One;POL-1\nA.5.2;Two;POL-1\n',
  )
  expect(keysOf(references)).toEqual(['code', 'title', null])
  expect(keysOf(await sheets.begin('asset', '#;Name / Serial no.;Type\n1;Laptop;Laptop\n'))).toEqual([
    'externalId',
    'name',
    'type',
  ])
})

test('a state that no import can set is asked about as any other value', async () => {
  const planned = await sheets.bring(
    'policy',
    'Name;Status\nAccess policy;Published\nBackup policy;Veröffentlicht\n',
  )
  expect(planned.planned).toMatchObject({ error: 2 })
  const { problems } = await summaryOf(planned.id)
  expect(
    problems.flatMap(({ unknown }) => unknown.map(({ value, proposed }) => [value, proposed])).toSorted(),
  ).toEqual([
    ['Published', 'draft'],
    ['Veröffentlicht', 'draft'],
  ])
  const meanings = ['Published', 'Veröffentlicht'].map((word) => ({ column: 1, word, choice: 'draft' }))
  expect((await sheets.plan(planned, { meanings })).planned).toMatchObject({ create: 2, error: 0 })
})

test('the stage of an imported vendor follows from its status, where the file has none', async () => {
  const planned = await sheets.bring(
    'vendor',
    'Supplier;Status\nOne;Approved\nTwo;Prospective\nThree;Under review\n',
  )
  expect((await changesOf(planned.id)).map(({ lifecycleStage }) => lifecycleStage)).toEqual([
    'In use',
    'Identified',
    'Due diligence',
  ])
  expect(notesOf(planned)).toMatchObject({ field_implied: ['Status'] })
  const said = await sheets.bring('vendor', 'Supplier;Status;Stage\nFour;Approved;Onboarding\n')
  expect((await changesOf(said.id))[0]).toMatchObject({ lifecycleStage: 'Onboarding' })
})

test('a column without a field becomes a custom field', async () => {
  const begun = await sheets.begin('vendor', 'Supplier;Contract end\nOne;2027-03-31\n')
  expect(keysOf(begun)).toEqual(['name', null])
  const planned = await sheets.plan(begun, { columns: ['name', 'customFields.Contract end'] })
  const { id } = await sheets.apply(planned.id, 'all')
  const [row] = await sheets.rows(id)
  expect(await sheets.ask('getVendor', { id: row!.record!.id })).toMatchObject({
    customFields: { 'Contract end': '2027-03-31' },
  })
})

test('what a viewer of one organization has said is not offered to another', async () => {
  await sheets.bring('personnel', 'E-Mail;Full name\nx@example.com;X\n', { identity: 'workEmail' })
  const other = sheetsOf(one, (await one.organization()).admin)
  expect((await other.begin('personnel', 'E-Mail;Full name\nx@example.com;X\n')).identity).toBe('known')
  expect(acme.admin).toBeDefined()
})
