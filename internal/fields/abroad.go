package fields

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// abroad gives words of German, French and Spanish names in English.
var abroad = readAbroad(`
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
prenom:first name|prénom:first name|nom:last name|naissance:birth|rue:street|ville:city|pays:country
téléphone:phone|telephone:phone|courriel:email|montant:amount|prix:price|quantite:quantity|quantité:quantity|devise:currency
debut:start|début:start|fin:end|duree:duration|durée:duration|commentaire:comment|titre:title|client:customer|facture:invoice
entreprise:company|societe:company|société:company|couleur:color|poids:weight|taille:size|langue:language|statut:status|numero:number
numéro:number|civilite:salutation|civilité:salutation|libelle:name|libellé:name|cree:created|créé:created|le:on
nombre:first name|apellido:last name|apellidos:last name|direccion:address|dirección:address|calle:street|ciudad:city
provincia:state|pais:country|país:country|codigo:code|código:code|telefono:phone|teléfono:phone|correo:email|fecha:date
nacimiento:birth|precio:price|cantidad:quantity|importe:amount|moneda:currency|descripcion:description|descripción:description
comentario:comment|cliente:customer|empresa:company|pedido:order|producto:product|estado:status|idioma:language|peso:weight
inicio:start|activo:active|titulo:title|título:title|auteur:author|editeur:publisher|éditeur:publisher|annee:year|année:year|emplacement:location|livre:book|adherent:member
evenement:event|événement:event|lieu:city|tarif:price|fournisseur:supplier|retour:return|prevue:due|prévue:due|amende:fine|prolongations:renewals
genero:gender|género:gender`)

func readAbroad(table string) map[string][]string {
	words := map[string][]string{}
	for row := range strings.FieldsFuncSeq(table, func(r rune) bool { return r == '|' || r == '\n' }) {
		own, english, _ := strings.Cut(row, ":")
		words[own] = strings.Fields(english)
	}
	return words
}

// Words splits a name as naming.Words does, in English. A name of which no more than what English has too is of another
// language stays: "client", "le" and "am" are of another language beside its words only.
func Words(name string) []string {
	words := naming.Words(name)
	foreign := false
	for _, w := range words {
		if abroad[w] != nil && !shared[w] {
			foreign = true
			break
		}
	}
	if !foreign {
		return words
	}
	var english []string
	for _, w := range words {
		if own := abroad[w]; own != nil {
			english = append(english, own...)
		} else {
			english = append(english, w)
		}
	}
	return english
}

// shared are words that English, or a usual abbreviation, has too.
var shared = naming.Set("client am le land rue telephone")
