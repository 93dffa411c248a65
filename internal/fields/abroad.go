package fields

import (
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/naming"
)

// abroad gives words of German, French and Spanish names in English.
var abroad = sync.OnceValue(func() map[string]string { return readAbroad(abroadTable) })

const abroadTable = `
vorname:first name|nachname:last name|familienname:last name|geburtsdatum:birth date|geburtstag:birth date|geschlecht:gender
strasse:street|straße:street|hausnummer:house number|plz:postal code|postleitzahl:postal code|ort:city|stadt:city|land:country
bundesland:state|telefon:phone|telefonnummer:phone|handy:phone|mobil:phone|anrede:salutation|titel:title|beschreibung:description
bezeichnung:name|bemerkung:comment|bemerkungen:comment|kommentar:comment|notiz:note|notizen:note|datum:date|beginn:start
anfang:start|ende:end|dauer:duration|minuten:minutes|stunden:hours|tage:days|anzahl:count|menge:quantity|betrag:amount|preis:price
kosten:cost|summe:total|waehrung:currency|währung:currency|rechnungsnummer:invoice number|rechnung:invoice|kunde:customer
kundennummer:customer number|empfaenger:recipient|empfänger:recipient|absender:sender|firma:company|unternehmen:company
abteilung:department|mitarbeiter:employee|lehrer:teacher|lehrkraft:teacher|klassenlehrer:teacher|klasse:school class|stunde:lesson|storniert:cancelled|offen:open|fach:school subject
faecher:school subjects|fächer:school subjects|schueler:student|schüler:student|raum:room|wochentag:weekday|schuljahr:school year
jahrgangsstufe:grade level|kuerzel:initials|kürzel:initials|wochenstunden:weekly hours|pruefung:exam|prüfung:exam
veranstaltung:event|gewichtung:weighting|punkte:points|maximal:max|aktiv:active|erstellt:created|geaendert:updated|geändert:updated
aktualisiert:updated|bezahlt:paid|faellig:due|fällig:due|am:on|eintrittsdatum:hire date|teilnehmerzahl:participant count
bestellung:order|bestellnummer:order number|artikel:product|artikelnummer:sku|gewicht:weight|farbe:color|groesse:size|größe:size
sprache:language|kategorie:category|hersteller:manufacturer|marke:brand|modell:model|baujahr:model year|kennzeichen:license plate
adresse:address|lieferadresse:address|nummer:number|wert:value|einheit:unit|zustand:condition|grund:reason|nachricht:message
prenom:first name|prénom:first name|naissance:birth|rue:street|ville:city|pays:country
téléphone:phone|telephone:phone|courriel:email|montant:amount|prix:price|quantite:quantity|quantité:quantity|devise:currency
debut:start|début:start|fin:end|duree:duration|durée:duration|commentaire:comment|titre:title|client:customer|facture:invoice
entreprise:company|societe:company|société:company|couleur:color|poids:weight|taille:size|langue:language|statut:status|numero:number
numéro:number|civilite:salutation|civilité:salutation|libelle:name|libellé:name|cree:created|créé:created|le:on
apellidos:last name|direccion:address|dirección:address|calle:street|ciudad:city
provincia:state|pais:country|país:country|codigo:code|código:code|telefono:phone|teléfono:phone|correo:email|fecha:date
nacimiento:birth|precio:price|cantidad:quantity|importe:amount|moneda:currency|descripcion:description|descripción:description
comentario:comment|cliente:customer|empresa:company|pedido:order|producto:product|estado:status|idioma:language|peso:weight
inicio:start|activo:active|titulo:title|título:title|auteur:author|editeur:publisher|éditeur:publisher|annee:year|année:year|emplacement:location|livre:book|adherent:member
evenement:event|événement:event|lieu:city|tarif:price|fournisseur:supplier|retour:return|prevue:due|prévue:due|amende:fine|prolongations:renewals
genero:gender|género:gender
anschrift:address|firmenname:company name|ansprechpartner:contact person|geschaeftsfuehrer:ceo|geschäftsführer:ceo|verantwortlicher:manager
telefax:fax|webseite:website|steuernummer:tax number|steuer:tax|ust:vat|mehrwertsteuer:vat|mwst:vat|umsatzsteuer:vat|vorsteuer:tax amount
netto:net|brutto:gross|satz:rate|gebuehr:fee|gebühr:fee|rabatt:discount percent|skonto:discount percent|zinsen:interest amount|saldo:balance
gesamt:total|einzel:unit|gesamtpreis:total price|einzelpreis:unit price|positionen:line items|position:position|beleg:receipt|buchung:booking
konto:account|kontonummer:ledger code|kontoart:account type|hausbank:bank name|bank:bank|lieferant:supplier|lieferanten:supplier|kunden:customer|auftrag:order|auftraggeber:payer
zahlung:payment|zahlungs:payment|mahnung:reminder|mahn:reminder|frist:deadline|art:type|text:text|name:name|gruppe:group|stufe:level|jahr:year
monat:month|jahre:years|monate:months|zeitraum:reporting period|periode:reporting period|anlage:fixed asset|anlagen:fixed asset|standort:location
serien:serial|inventar:asset|kosten:cost|kostenstelle:cost center|bank:bank|grund:reason|von:by|bis:until|seit:since|neu:new|neue:new|neuer:new|offener:outstanding|offene:outstanding|rest:residual|liefer:lead|anschaffung:purchase|soll:debit|haben:credit|nutzung:useful|nutzungsdauer:useful life|vom:from|zum:until|uhr:time
uhrzeit:time of day|zeit:time|verwendungszweck:payment text|zahlungsziel:payment terms days|zahlungsbedingung:payment terms|kreditlimit:credit limit
rechtsform:legal form|handelsregisternummer:commercial register number|amtsgericht:register court|steuerschluessel:tax key|buchungstext:booking text
mandant:company|konten:account|kreditor:creditor|debitor:debtor|erfasst:created|angelegt:created|geloescht:deleted|gelöscht:deleted|versendet:sent
storno:cancellation|gesperrt:blocked|versand:shipping|lager:warehouse|ware:product|verkaeufer:seller|verkäufer:seller|kaeufer:buyer|käufer:buyer
fahrer:driver|fahrzeug:vehicle|fahrt:trip|strecke:route|haltestelle:stop|arzt:doctor|aerztin:doctor|patient:patient|krankenkasse:health insurer
versicherung:insurance|vertrag:contract|laufzeit:term months|mieter:tenant|miete:rent|wohnung:apartment|zimmer:rooms|flaeche:floor area|fläche:floor area
etage:floor|stockwerk:floor|leiter:manager|verein:club|spieler:player|spiel:match|tor:goal|tore:goals|mannschaft:team|buch:book|verlag:publisher
verfasser:author|autor:author|seiten:pages|ausgabe:edition|leser:reader|ausleihe:loan|rueckgabe:return|rückgabe:return|werk:artwork|zaehler:meter
zähler:meter|zaehlerstand:meter reading|verbrauch:consumption kwh|stromverbrauch:consumption kwh|leistung:power|einkommen:income|gehalt:salary
antrag:application|antragsteller:applicant|bearbeiter:agent|sachbearbeiter:agent|anfrage:request|antwort:answer|betreff:subject|inhalt:content
stelle:position|bewerber:applicant|bewerbung:application|zeugnis:certificate|ausbildung:degree|kind:child|eltern:parents|notfallkontakt:emergency contact
nom:name|nombre:name|apellido:last name|razon:legal|razón:legal|social:name|movil:mobile|móvil:mobile|electronico:|electrónico:
municipio:city|localidad:city|poblacion:city|población:city|postal:postal|piso:floor|numero:number|número:number|codigo:code|latitud:latitude
longitud:longitude|dni:national id|nif:tax id|cif:tax id|nie:national id|factura:invoice|facturas:invoice|emision:issued|emisión:issued|vencimiento:due|pago:payment
pagado:paid|base:base|imponible:taxable|iva:vat|cuota:amount|concepto:product|unidad:unit|unitario:unit|lineas:line items|líneas:line items
tarifa:rate plan|contrato:contract|contador:meter|lectura:meter reading|anterior:previous|consumo:consumption|serie:serial|marca:brand|modelo:model
ubicacion:location|ubicación:location|tipo:type|version:version|versión:version|fecha:date|hora:time|alta:start|baja:end|reclamacion:complaint|reclamación:complaint|suministro:supply|periodo:reporting period|instalacion:installed
instalación:installed|fin:end|vigente:valid|desde:from|hasta:until|ultima:last|última:last|ultimo:last|último:last|metodo:method|método:method|canal:channel
venta:sale|ventas:sales|vendedor:salesperson|comercial:salesperson|agente:agent|tecnico:technician|técnico:technician|asignado:assigned|responsable:manager
asunto:subject|mensaje:message|respuesta:answer|prioridad:priority|gravedad:severity|causa:cause|averia:fault|avería:fault|observaciones:comments
notas:notes|descuento:discount|meses:months|dias:days|días:days|horas:hours|minutos:minutes|creacion:created|creación:created|modificacion:updated
modificación:updated|actualizacion:updated|actualización:updated|notificacion:reported|notificación:reported|resolucion:resolved|resolución:resolved
nombreusuario:username|usuario:user|contrasena:password|imagen:image|categoria:category|categoría:category|talla:size|color:color|edad:age|sexo:gender
alumno:student|profesor:teacher|curso:course|nota:grade|libro:book|autor:author|editorial:publisher|paginas:pages|páginas:pages|capacidad:capacity
proveedor:supplier|almacen:warehouse|almacén:warehouse|existencias:stock|envio:shipment|envío:shipment|destinatario:recipient|remitente:sender
matricula:license plate|matrícula:license plate|conductor:driver|coche:car|viaje:trip|origen:origin|destino:destination|salida:departure|llegada:arrival
precios:price|saldo:balance|cuenta:account|banco:bank|titular:holder|sucursal:branch|recibo:receipt|deuda:debt|ingresos:income|gastos:expenses
comentarios:comments|resumen:summary|contenido:content|enlace:link|archivo:file|documento:document|puesto:job title|departamento:department
empleado:employee|salario:salary|sueldo:salary|contratacion:hired|contratación:hired|satisfaccion:satisfaction score|satisfacción:satisfaction score
prenom:first name|courrier:email|portable:mobile|postale:postal|expediteur:sender|expéditeur:sender|destinataire:recipient|dateemission:issue date
emission:issued|émission:issued|echeance:due|échéance:due|paiement:payment|unitaire:unit|ligne:line items|lignes:line items|remise:discount|taxe:tax|tva:vat
ht:net|ttc:gross|compte:account|solde:balance|modele:model|modèle:model|marque:brand|mois:month|jours:days|heures:hours|creation:created|création:created
modification:updated|naissances:birth|employe:employee|employé:employee|poste:job title|service:department|salaire:salary|responsable:manager
objet:subject|reponse:answer|réponse:answer|priorite:priority|priorité:priority|utilisateur:user|image:image|categorie:category|catégorie:category
chambre:room|vehicule:vehicle|véhicule:vehicle|immatriculation:license plate|depart:departure|départ:departure|arrivee:arrival|arrivée:arrival`

func readAbroad(table string) map[string]string {
	words := make(map[string]string, 640)
	for row := range strings.FieldsFuncSeq(table, func(r rune) bool { return r == '|' || r == '\n' }) {
		own, english, _ := strings.Cut(row, ":")
		words[own] = english
	}
	return words
}

// abbreviated are short for what names end in.
var abbreviated = map[string]string{"nbr": "number", "cnt": "count", "amt": "amount"}

// Words splits a name as naming.Words does, in English. A name of which no more than what English has too is of another
// language stays: "client", "le" and "am" are of another language beside its words only.
func Words(name string) []string {
	words := naming.Words(name)
	if n := len(words) - 1; n > 0 && abbreviated[words[n]] != "" {
		words[n] = abbreviated[words[n]]
	}
	foreign := false
	for _, w := range words {
		if translated(w) != nil && !shared.Has(w) {
			foreign = true
			break
		}
	}
	if !foreign {
		return words
	}
	var english []string
	for _, w := range words {
		if own := translated(w); own != nil {
			english = append(english, own...)
		} else if !particles.Has(w) {
			english = append(english, w)
		}
	}
	if len(words) > 1 && leading.Has(words[0]) { // fecha_vencimiento: what it is stands first
		head := len(strings.Fields(abroad()[words[0]]))
		english = append(english[head:len(english):len(english)], english[:head]...)
	}
	return english
}

// translated returns a word in English, nil if it is none of another language. German writes several as one:
// Rechnungsdatum.
func translated(word string) []string {
	if own := abroad()[word]; own != "" {
		return strings.Fields(own)
	}
	const least = 3 // letters of a part
	for at := least; at <= len(word)-least; at++ {
		end := abroad()[word[at:]]
		if end == "" || !compound.Has(word[at:]) {
			continue
		}
		first := word[:at]
		for _, joint := range []string{"", "s", "n", "en", "es"} {
			if own := abroad()[strings.TrimSuffix(first, joint)]; own != "" {
				return strings.Fields(own + " " + end)
			}
		}
		if len(word)-at > least && !english.Has(word[at:]) {
			return append([]string{first}, strings.Fields(end)...)
		}
	}
	return nil
}

// english are parts that words of English end in too: percentage, Finland.
var english = naming.LazySet("tage land ende text name status position partner")

// compound are the last parts of German words.
var compound = naming.LazySet(`nummer datum betrag preis gebuehr gebühr satz name text art menge kosten summe dauer jahr monat zeit zeitraum
	konto adresse anschrift anzahl gruppe stufe grund status nachricht ort land beginn ende wert einheit termin frist ziel kennzeichen partner
	position positionen tage monate jahre stunden minuten bezeichnung beschreibung groesse größe gewicht saldo steuer`)

// leading are words of Romance languages that stand before what English has before them: fecha de nacimiento.
var leading = naming.LazySet(`fecha numero número codigo código precio importe tipo metodo método correo telefono teléfono direccion dirección
	nombre canal url base date numéro prix montant nom adresse type mode taux tasa version versión cuota consumo estado hora`)

// particles join the words of such names.
var particles = naming.LazySet("de del la el los las du des der die das")

// shared are words that English, or a usual abbreviation, has too.
var shared = naming.LazySet(`client am le land rue telephone position text name version base image service art bank kind social comercial postal
	editorial origen color baja alta nota notas iva social patient fin ht agent ligne poste portable modification creation emission conductor
	responsable autor curso depart objet marque serie tor von bis zum werk social concept contact tarif plan type mode date`)
